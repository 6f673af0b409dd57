function element(tag, name, ...parts) {
  const made = document.createElement(tag);
  made.className = name;
  made.append(...parts);
  return made;
}

function bar({ name, share, told }, colour) {
  const track = element("span", "track");
  const filled = element("span", "filled");
  filled.style.width = `${100 * (share ?? 0)}%`;
  filled.style.background = colour;
  track.append(filled);
  return element("div", share === null ? "bar none" : "bar", element("span", "name", name), track, element("span", "told", told));
}

function tile({ label, value, change, unit }) {
  const figure = element("div", "value", value);
  if (change) figure.append(" ", element("span", "change", change));
  return element("div", "tile", element("div", "label", label), figure, element("div", "unit", unit));
}

function gaps({ gaps, gaps_title, colours }) {
  return element("div", "tile gaps", element("div", "label", gaps_title), ...gaps.map(one => bar(one, colours[0])));
}

function kinds({ kinds, kinds_title, legend, colours, rest }) {
  const key = element("div", "key");
  legend.forEach((word, place) => {
    const mark = element("span", "mark");
    mark.style.background = colours[place];
    key.append(element("span", "", mark, word));
  });
  const made = element("section", "kinds", element("h4", "", kinds_title), key);
  for (const { name, bars } of kinds) {
    const pair = element("div", "pair", ...bars.map((one, place) => bar({ ...one, name: place ? "" : name }, colours[place])));
    made.append(pair);
  }
  made.append(element("p", "unit", rest));
  return made;
}

function row([item, text, , message, call, told], words, act) {
  const go = element("button", "go", element("bdi", "item", text), element("span", "unit", told));
  go.title = words.go;
  go.onclick = () => act("cell", { call, message });
  const follow = element("button", "follow", words.follow);
  follow.title = words.follow_title;
  follow.setAttribute("aria-label", `${words.follow} ${text}`);
  follow.onclick = () => act("fact", { item, call });
  return element("li", "", go, follow);
}

function lost(frame, data, act) {
  const made = element("section", "lost", element("h4", "", data.lost_title));
  if (!data.lost.length) return element("section", "lost", element("h4", "", data.lost_title), element("p", "unit", data.none));
  const list = element("ol", "rows");
  const choice = element("select", "");
  choice.ariaLabel = data.words.kind;
  for (const [kind, word] of [["", data.all], ...data.filters]) choice.append(new Option(word, kind));
  choice.value = data.filters.some(one => one[0] === frame.kind) ? frame.kind : "";
  const fill = () => {
    frame.kind = choice.value;
    const wanted = data.lost.filter(one => !frame.kind || one[2] === frame.kind);
    list.replaceChildren(...wanted.map(one => row(one, data.words, act)));
  };
  choice.onchange = fill;
  fill();
  made.append(choice, list);
  if (data.more) made.append(element("p", "unit", data.more));
  return made;
}

export default function ({ parentElement, data, setTriggerValue }) {
  const frame = parentElement.querySelector(".frame");
  frame.send = setTriggerValue;
  const told = JSON.stringify(data);
  if (frame.told === told) return;
  frame.told = told;
  // Figures of the same session stay until there are new ones, so that nothing jumps.
  const isKnown = frame.of === data.of;
  frame.of = data.of;
  frame.ariaBusy = Boolean(data.wait);
  if (data.wait) {
    const note = isKnown && frame.querySelector(".note");
    if (note) note.textContent = data.wait;
    else frame.replaceChildren(element("p", "unit", data.wait));
    return;
  }
  const act = (name, value) => frame.send("action", { name, value });
  const more = element("details", "", element("summary", "", data.open));
  more.open = Boolean(frame.opened);
  more.ontoggle = () => { frame.opened = more.open; };
  more.append(element("div", "parts", kinds(data), lost(frame, data, act)));
  frame.replaceChildren(
    element("div", "tiles", ...data.tiles.map(tile), gaps(data), element("p", "note unit", data.note)),
    more,
  );
}
