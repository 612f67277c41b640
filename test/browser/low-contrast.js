/**
 * Runs in the page: lists the texts whose contrast with what lies behind them is below WCAG AA (4.5, or 3 for large
 * ones).
 */
(() => {
  const parse = (colour) => {
    const [red = 0, green = 0, blue = 0, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
    return { red, green, blue, alpha };
  };
  const over = (top, bottom) => {
    const mix = (channel) => top[channel] * top.alpha + bottom[channel] * (1 - top.alpha);
    return { red: mix('red'), green: mix('green'), blue: mix('blue'), alpha: 1 };
  };
  const behind = (element) => {
    if (!element) return { red: 255, green: 255, blue: 255, alpha: 1 };
    const own = parse(getComputedStyle(element).backgroundColor);
    return own.alpha === 1 ? own : over(own, behind(element.parentElement));
  };
  const channel = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ({ red, green, blue }) => 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
  const contrast = (a, b) => {
    const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (light + 0.05) / (dark + 0.05);
  };
  const hasText = (element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== '');
  const shown = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && !element.closest(':disabled, .hidden, .skip');

  return [...document.querySelectorAll('body *')]
    .filter(hasText)
    .filter(shown)
    .flatMap((element) => {
      const { color, fontSize, fontWeight } = getComputedStyle(element);
      const size = Number.parseFloat(fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
      const ratio = contrast(over(parse(color), behind(element)), behind(element));
      return ratio < (large ? 3 : 4.5) ? [`${element.textContent.trim()}: ${ratio.toFixed(2)}`] : [];
    });
})();
