const map = document.querySelector("[data-kind=heatmap]");
const plot = map.querySelector(".plot");
const reading = () => map.querySelector("output").textContent;
const marks = (place) => map.querySelectorAll(`.plot .mark-rect.role-mark.layer_${place}_marks path`).length;
const frame = () => new Promise((resolve) => setTimeout(resolve, 100));
const press = async (key) => {
  plot.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
  await frame();
  say(`${key}: ${reading()}; ${marks(2)} cursors`);
};

say(`at first: ${reading()}; ${marks(2)} cursors`);
for (const key of ["Home", "ArrowLeft", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp"])
  await press(key);
const select = map.querySelector("select");
say("axes:", [...select.options].map((option) => option.text).join(", "));
select.value = "1";
select.dispatchEvent(new Event("change"));
await frame();
say(`other axes: ${reading()}; ${marks(0) + marks(1)} cells`);
await press("ArrowDown");
