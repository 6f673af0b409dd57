function element(tag, name, text = "") {
  const made = document.createElement(tag);
  made.className = name;
  made.textContent = text;
  return made;
}

function box(stage, index, act) {
  const item = element("li", "stage");
  const made = element("button", "box");
  made.type = "button";
  made.title = stage.help;
  made.onclick = () => act(index);
  const bar = element("span", "bar");
  bar.append(element("span", "filled"));
  bar.firstChild.style.width = `${100 * stage.share}%`;
  made.append(
    element("span", "name", stage.name),
    element("span", "tokens", stage.tokens),
    element("span", "change", stage.change || "\u00a0"),
    bar,
    element("span", "messages", [stage.messages, stage.time].filter(Boolean).join(" · ")),
  );
  item.append(made);
  return item;
}

export default function ({ parentElement, data, setTriggerValue }) {
  const list = parentElement.querySelector(".strip");
  const focused = [...list.querySelectorAll("button")].indexOf(parentElement.activeElement);
  list.setAttribute("aria-label", data.label);
  const act = value => setTriggerValue("action", { name: "stage", value });
  list.replaceChildren(...data.boxes.map((stage, index) => box(stage, index, act)));
  if (focused >= 0) list.querySelectorAll("button")[focused]?.focus({ preventScroll: true });
}
