const TAGS = { added: "ins", removed: "del", cut: "del", found: "mark" };

function element(tag, name, text = "") {
  const made = document.createElement(tag);
  made.className = name;
  made.textContent = text;
  return made;
}

function button(state, word, title, act) {
  const made = element("button", "act", word);
  made.type = "button";
  made.title = title;
  made.onclick = () => act(made);
  return made;
}

function send(state, name, value) {
  state.component.setTriggerValue("action", { name, value });
  // Another list may show the message already: then it comes into view without a run.
  if (name === "message") window.dispatchEvent(new CustomEvent("look-at-message", { detail: value }));
}

function span(state, [kind, text, target]) {
  if (target !== undefined) {
    const link = button(state, text, text, () => send(state, "message", target));
    link.className = `link ${kind}`;
    return link;
  }
  return TAGS[kind] ? element(TAGS[kind], kind, text) : document.createTextNode(text);
}

function block(state, { label, mono, height, opens, spans }) {
  const made = element("div", "block");
  if (label) made.append(element("div", "label", label));
  const text = element("pre", mono ? "text mono" : "text");
  text.dir = "auto";
  text.style.maxHeight = `${height}px`;
  text.opens = opens;
  text.append(...spans.map(one => span(state, one)));
  if (!spans.length) text.append(element("i", "none", state.data.no_text));
  made.append(text);
  return made;
}

// What was recorded: the first text, without what only another version has.
const recorded = card => card.blocks[0].spans.filter(([kind]) => kind !== "removed").map(one => one[1]).join("");

function fallback(text) {
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

async function copy(state, card, made) {
  const [word, done, failed] = state.data.copy;
  const text = recorded(card);
  const said = await (navigator.clipboard?.writeText(text).then(() => true, () => fallback(text)) ?? fallback(text));
  made.textContent = said ? done : failed;
  setTimeout(() => { made.textContent = word; }, 1500);
}

function buttons(state, card) {
  const row = element("div", "buttons");
  for (const [word, title, name, value, pressed] of card.buttons ?? []) {
    const made = button(state, word, title, () => send(state, name, value));
    made.dataset.does = `${name}:${value}`;
    if (pressed !== undefined && pressed !== null) made.setAttribute("aria-pressed", pressed);
    row.append(made);
  }
  if (card.blocks) {
    const made = button(state, state.data.copy[0], "", it => copy(state, card, it));
    made.dataset.does = "copy";
    row.append(made);
  }
  return row;
}

function head(card) {
  const made = element("div", "head");
  if (card.chip) {
    const [glyph, word, colour] = card.chip;
    const chip = element("span", "chip", `${glyph} ${word}`);
    chip.style.background = colour;
    made.append(chip);
  }
  made.append(element("bdi", "title", card.title));
  const aside = element("span", "aside", card.aside ?? "");
  if (card.bar !== undefined) {
    const bar = element("span", "bar");
    bar.append(element("span", ""));
    bar.firstChild.style.width = `${100 * card.bar}%`;
    if (card.chip) bar.firstChild.style.background = card.chip[2];
    aside.append(bar);
  }
  made.append(aside);
  return made;
}

function made(state, card) {
  const made = element("article", card.marked ? "card marked" : "card");
  made.setAttribute("role", "listitem");
  made.dataset.id = card.id;
  if (card.marked) made.setAttribute("aria-current", "true");
  made.append(head(card));
  if (card.why) made.append(element("div", "why", card.why));
  const blocks = element("div", "blocks");
  blocks.append(...(card.blocks ?? []).map(one => block(state, one)));
  made.append(blocks, buttons(state, card));
  return made;
}

// Cards that did not change stay where they are, with the place their texts are scrolled to.
function replace(list, wanted) {
  const staying = new Set(wanted);
  for (const old of [...list.children]) if (!staying.has(old)) old.remove();
  let at = list.firstChild;
  for (const card of wanted) {
    if (card === at) at = at.nextSibling;
    else list.insertBefore(card, at);
  }
}

function show(list, id) {
  const card = [...list.children].find(one => one.dataset.id === String(id));
  card?.scrollIntoView({ block: card.offsetHeight < window.innerHeight ? "center" : "start" });
}

// A text opens at what matters in it; a long one can be scrolled by keyboard.
function settle(card) {
  for (const text of card.querySelectorAll(".text")) {
    if (text.scrollHeight > text.clientHeight) text.tabIndex = 0;
    if (text.opens) text.scrollTop = text.childNodes[text.opens].offsetTop - 40;
  }
}

export default function (component) {
  const { parentElement, data } = component;
  const list = parentElement.querySelector(".cards");
  const state = (list.state ??= { cards: new Map(), looked: null });
  Object.assign(state, { component, data });
  const active = parentElement.activeElement;
  const held = active?.dataset?.does && [active.closest(".card").dataset.id, active.dataset.does];
  const before = state.cards;
  state.cards = new Map();
  const fresh = [];
  for (const card of data.cards) {
    const key = JSON.stringify(card);
    const old = before.get(key);
    state.cards.set(key, old ?? made(state, card));
    if (!old) fresh.push(state.cards.get(key));
  }
  const wanted = [...state.cards.values()];
  replace(list, wanted);
  fresh.forEach(settle);
  if (held && !parentElement.activeElement) {
    const card = wanted.find(one => one.dataset.id === held[0]);
    [...(card?.querySelectorAll("button") ?? [])].find(one => one.dataset.does === held[1])?.focus({ preventScroll: true });
  }
  const marked = data.cards.find(card => card.marked)?.id ?? null;
  if (marked !== null && marked !== state.looked) requestAnimationFrame(() => show(list, marked));
  state.looked = marked;
  const look = event => show(list, event.detail);
  window.addEventListener("look-at-message", look);
  return () => window.removeEventListener("look-at-message", look);
}
