const PAUSE = 150; // ms from a call's arrival to the next step
const TYPING = 80; // ms from a key to asking for its call
const PATIENCE = 10_000; // ms until a request counts as lost
const LONG = 300; // calls: more are played in LASTS ms
const LASTS = 60_000;

const written = one => (typeof one === "number" ? one.toLocaleString("en") : one);
const fill = (template, values) => template.replace(/\{(\w+)\}/g, (_, name) => written(values[name]));
const between = (low, value, high) => Math.min(Math.max(value, low), high);
// A step would cut off what a running script still has to draw.
const isRunning = () => /running|Requested/.test(document.querySelector("[data-testid=stApp]")?.dataset.testScriptState);

class Player {
  playing = false;
  speed = 1; // calls a step
  wanted = null; // the call asked for and not yet here
  row = null;

  constructor(root) {
    this.root = root;
    const find = name => root.querySelector(name);
    [this.range, this.label, this.film, this.canvas] = ["input", "output", ".film", "canvas"].map(find);
    [this.cursor, this.cell, this.read, this.legend] = [".cursor", ".cell", ".read", ".legend"].map(find);
    this.buttons = Object.fromEntries([...root.querySelectorAll("button")].map(one => [one.dataset.do, one]));
    const moves = { first: () => 1, back: () => this.call - 1, forth: () => this.call + 1, last: () => this.data.calls };
    for (const [name, to] of Object.entries(moves)) this.buttons[name].onclick = () => { this.stop(); this.go(to()); };
    this.buttons.play.onclick = () => (this.playing ? this.stop() : this.start());
    this.buttons.speed.onclick = () => { this.speed = this.speed > 1 ? 1 : 4; this.paint(); };
    this.range.oninput = () => { this.stop(); this.dragged = true; this.call = +this.range.value; this.paint(); };
    // A drag that ends where it began is no change.
    for (const end of ["change", "pointerup", "pointercancel", "blur"]) this.range[`on${end}`] = () => this.drop();
    root.onkeydown = event => this.press(event);
    this.canvas.onpointermove = this.canvas.onpointerdown = event => this.point(...this.place(event));
    this.canvas.onpointerleave = () => this.rest();
    this.canvas.onclick = event => this.open(...this.place(event));
    this.canvas.onfocus = () => { if (this.canvas.matches(":focus-visible")) this.point(this.line(), this.column()); };
    this.canvas.onblur = () => this.rest();
  }

  take(data, send) {
    const before = this.data;
    Object.assign(this, { data, send });
    if (before?.png !== data.png) this.draw();
    if (before && before.calls !== data.calls) this.stop();
    this.dress();
    const isHere = this.wanted === data.call;
    if (isHere || this.wanted === null || performance.now() - this.asked > PATIENCE) {
      if (!isHere && data.call !== this.call) this.stop();
      this.wanted = null;
      if (!this.dragged && !this.typing) this.call = data.call;
      if (isHere && this.playing) this.next();
    }
    this.paint();
  }

  dress() {
    const { words, calls, recorded, states } = this.data;
    this.root.setAttribute("aria-label", words.player);
    for (const [name, button] of Object.entries(this.buttons)) button.ariaLabel = button.title = words[name];
    this.range.max = calls;
    this.range.disabled = calls < 2;
    this.range.ariaLabel = words.range;
    this.canvas.ariaLabel = words.film;
    this.film.hidden = !this.data.png;
    const put = (name, texts) => this.root.querySelectorAll(`${name} span`).forEach((one, n) => { one.textContent = written(texts[n]); });
    put(".x", [1, words.x, calls]);
    put(".y", [0, words.y, Math.max(recorded - 1, 0)]);
    this.legend.replaceChildren(...states.filter(one => one[3]).map(([glyph, word, colour]) => {
      const chip = document.createElement("span");
      chip.textContent = `${glyph} ${word}`;
      chip.style.background = colour;
      return chip;
    }));
    if (!this.pointed) this.rest();
  }

  draw() {
    const { png, columns, messages } = this.data;
    this.pixels = null;
    this.row = null;
    if (!png) return;
    const image = new Image();
    image.onload = () => {
      if (this.data.png !== png) return;
      Object.assign(this.canvas, { width: columns, height: messages.length });
      const context = this.canvas.getContext("2d", { willReadFrequently: true });
      context.drawImage(image, 0, 0);
      this.pixels = context.getImageData(0, 0, columns, messages.length).data;
    };
    image.src = `data:image/png;base64,${png}`;
  }

  paint() {
    const { calls, words } = this.data;
    const values = { call: this.call, calls };
    this.range.value = this.call;
    this.range.ariaValueText = fill(words.spoken, values);
    this.label.textContent = fill(words.label, values);
    this.cursor.style.left = `${(100 * (this.call - 0.5)) / calls}%`;
    for (const name of ["first", "back"]) this.buttons[name].ariaDisabled = this.call === 1;
    for (const name of ["forth", "last"]) this.buttons[name].ariaDisabled = this.call === calls;
    this.buttons.play.ariaDisabled = calls < 2;
    this.buttons.play.ariaLabel = this.buttons.play.title = this.playing ? words.pause : words.play;
    this.root.classList.toggle("playing", this.playing);
    const { speed } = this.buttons;
    speed.textContent = `${this.speed}×`;
    speed.ariaLabel = speed.title = fill(words.speed, this);
  }

  drop() {
    if (!this.dragged) return;
    this.dragged = false;
    this.go(+this.range.value);
  }

  go(call, delay = 0) {
    const to = between(1, call, this.data.calls);
    const isKnown = this.wanted === null && to === this.data.call;
    this.call = to;
    this.paint();
    clearTimeout(this.typing);
    this.typing = null;
    if (isKnown) return;
    const ask = () => { this.typing = null; this.ask("call", to, to); };
    if (delay) this.typing = setTimeout(ask, delay);
    else ask();
  }

  ask(name, value, call) {
    this.wanted = call;
    this.asked = performance.now();
    this.send("action", { name, value });
  }

  start() {
    if (this.data.calls < 2) return;
    this.playing = true;
    this.began = this.stepped = performance.now();
    this.ended = new AbortController();
    const watch = (name, isOther) => document.addEventListener(
      name, event => { if (isOther(event)) this.stop(); }, { capture: true, signal: this.ended.signal });
    watch("visibilitychange", () => document.hidden);
    watch("pointerdown",  event => !event.composedPath().some(one => "play speed".includes(one.dataset?.do ?? "-")));
    watch("keydown", event => !event.composedPath().includes(this.root));
    this.pace = 2 * PAUSE;
    if (this.call === this.data.calls) this.go(1);
    else this.step();
  }

  stop() {
    if (!this.playing) return;
    this.playing = false;
    clearTimeout(this.timer);
    this.ended.abort();
    this.paint();
  }

  next() {
    if (this.call >= this.data.calls) this.stop();
    else this.timer = setTimeout(() => (isRunning() ? this.next() : this.step()), PAUSE);
  }

  step() {
    const now = performance.now(), rest = this.data.calls - this.call;
    if (now > this.stepped) this.pace = (this.pace + now - this.stepped) / 2;
    this.stepped = now;
    const left = Math.max(LASTS / this.speed - (now - this.began), this.pace);
    this.go(this.call + Math.max(this.speed, this.data.calls > LONG && Math.ceil((rest * this.pace) / left)));
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const onFilm = event.target === this.canvas;
    const moves = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity };
    if (event.key in moves) {
      this.stop();
      this.go(this.call + moves[event.key], TYPING);
      if (onFilm) this.point(this.line(), this.column());
    } else if (event.key === " " && event.target.tagName !== "BUTTON") {
      this.buttons.play.click();
    } else if (onFilm && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      this.row = between(0, this.line() + (event.key === "ArrowUp" ? -1 : 1), this.data.messages.length - 1);
      this.point(this.row, this.column());
    } else if (onFilm && event.key === "Enter") {
      this.open(this.line(), this.column());
    } else return;
    event.preventDefault();
  }

  place(event) {
    const box = this.canvas.getBoundingClientRect(), { messages, columns } = this.data;
    const at = (offset, size, count) => between(0, Math.floor((offset / size) * count), count - 1);
    return [at(event.clientY - box.top, box.height, messages.length), at(event.clientX - box.left, box.width, columns)];
  }

  column() { return Math.ceil((this.call * this.data.columns) / this.data.calls) - 1; }

  callOf(column) { return Math.floor(((column + 1) * this.data.calls) / this.data.columns); }

  // The row of the cell shown: at first the newest message.
  line() {
    if (this.row !== null) return this.row;
    let row = this.data.messages.length - 1;
    while (row > 0 && !this.code(row, this.column())) row -= 1;
    return row;
  }

  code(row, column) {
    if (!this.pixels) return 0;
    const [red, green, blue, alpha] = this.pixels.slice(4 * (row * this.data.columns + column));
    const colour = `#${[red, green, blue].map(one => one.toString(16).padStart(2, "0")).join("")}`;
    return alpha ? 1 + this.data.states.findIndex(one => one[2].toLowerCase() === colour) : 0;
  }

  point(row, column) {
    const { columns, messages, who, names, shortened, left, gone, states, words } = this.data;
    const code = this.code(row, column), call = this.callOf(column);
    const values = { message: messages[row], who: who[names[row]], call, shortened: shortened[row], left: gone[row] ?? left[row] };
    if (code) {
      const [glyph, word] = states[code - 1], hasLeft = left[row] > 0 && call >= left[row];
      values.state = `${glyph} ${word}, ${fill(words.reasons[code - 1][+hasLeft], values)}`;
    }
    this.pointed = true;
    this.read.textContent = fill(code ? words.cell : words.unknown, values);
    const share = (part, whole) => `${(100 * part) / whole}%`;
    Object.assign(this.cell.style, {
      left: share(column, columns), width: share(1, columns), top: share(row, messages.length), height: share(1, messages.length),
    });
  }

  rest() {
    this.pointed = false;
    this.read.textContent = this.data.words.hint;
  }

  open(row, column) {
    this.stop();
    const call = this.callOf(column);
    this.row = row;
    if (!this.code(row, column)) { this.go(call); return; }
    this.call = call;
    this.paint();
    this.ask("cell", { call, message: this.data.messages[row] }, call);
  }
}

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".player");
  const player = (root.player ??= new Player(root));
  player.take(data, setTriggerValue);
  return () => player.stop();
}
