function element(tag, name, ...parts) {
  const made = document.createElement(tag);
  made.className = name;
  made.append(...parts);
  return made;
}

function cell({ text, colour, acts }, send) {
  if (acts) {
    return element("td", "", ...acts.map(([word, title, name, value]) => {
      const made = element("button", "", word);
      made.type = "button";
      made.title = title;
      made.onclick = () => send("action", { name, value });
      return made;
    }));
  }
  const made = element("bdi", colour ? "chip" : "", text);
  if (colour) made.style.background = colour;
  return element("td", "", made);
}

export default function ({ parentElement, data, setTriggerValue }) {
  const table = parentElement.querySelector("table");
  parentElement.querySelector(".frame").ariaLabel = data.title;
  const head = element("thead", "", element("tr", "", ...data.columns.map(name => {
    const made = element("th", "", name);
    made.scope = "col";
    return made;
  })));
  const rows = data.rows.map(row => element("tr", "", ...row.map(one => cell(one, setTriggerValue))));
  table.replaceChildren(element("caption", "", data.title), head, element("tbody", "", ...rows));
}
