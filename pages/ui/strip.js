function element(tag, name, text = "") {
  const made = document.createElement(tag);
  made.className = name;
  made.textContent = text;
  return made;
}

function box(stage, index, act, tell) {
  const item = element("li", "stage");
  const made = element("button", "box");
  const bar = element("span", "bar");
  bar.append(element("span", "filled"));
  bar.firstChild.style.width = `${100 * stage.share}%`;
  const change = element("span", "small change");
  stage.change.forEach((part, place) => {
    change.append(place ? " / " : "", element("span", "", part));
  });
  made.type = "button";
  made.title = stage.told;
  made.setAttribute("aria-label", [
    stage.name, stage.tokens, stage.messages, ...stage.change, stage.time,
  ].filter(Boolean).join(", "));
  made.onclick = () => act(index);
  made.onfocus = made.onpointerenter = () => tell(index);
  made.append(
    element("span", "name", stage.name),
    element("span", "tokens", stage.tokens),
    bar,
    element("span", "small", stage.messages),
    change,
    element("span", "small time", stage.time),
  );
  item.append(made);
  return item;
}

export default function ({ parentElement, data, setTriggerValue }) {
  const list = parentElement.querySelector(".strip");
  const line = parentElement.querySelector(".told");
  const focused = [...list.querySelectorAll("button")].indexOf(parentElement.activeElement);
  const tell = index => {
    parentElement.told = index;
    const stage = data.boxes[index];
    line.replaceChildren(element("b", "", stage ? `${stage.name}: ` : ""), stage ? stage.told : data.hint);
  };
  const act = value => setTriggerValue("action", { name: "stage", value });
  list.setAttribute("aria-label", data.label);
  list.replaceChildren(...data.boxes.map((stage, index) => box(stage, index, act, tell)));
  tell(parentElement.told);
  if (focused >= 0) list.querySelectorAll("button")[focused]?.focus({ preventScroll: true });
}
