import type { Page } from 'playwright-core'

// How charts are drawn, by the pixels of their canvas.

/** Runs in the page: how far from the left edge of the canvas the marks of the values begin. */
export function leftmostInk() {
  const canvas = document.querySelector<HTMLCanvasElement>('.lane canvas')!
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
  const isInked = (x: number) =>
    Array.from({ length: canvas.height }, (_, y) => data[(y * canvas.width + x) * 4 + 3]!).some((alpha) => alpha > 0)
  let x = 0
  while (x < canvas.width && !isInked(x)) x++
  return x
}

/** Red, green, blue and opacity of a part of the first chart, row by row. */
type Pixels = readonly (readonly number[])[]

async function pixelsOf(
  page: Page,
  part: readonly [x: number, y: number, width: number, height: number],
): Promise<Pixels> {
  const numbers = await page.evaluate(
    (wanted) => {
      const brush = document.querySelector<HTMLCanvasElement>('.lane canvas')!.getContext('2d')!
      return [...brush.getImageData(...wanted).data]
    },
    [...part] as [number, number, number, number],
  )
  return Array.from({ length: numbers.length / 4 }, (_, index) => numbers.slice(4 * index, 4 * index + 4))
}

/** To the white page, as WCAG 2 computes it. */
function contrast([red = 0, green = 0, blue = 0, opacity = 0]: readonly number[]): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((one) => linear((one * opacity) / 255 + 255 - opacity))
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05)
}

function linear(part: number): number {
  const share = part / 255
  return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** How long the stroke of the peak is, in pixels of the page, and the contrast of its tip. */
export async function inkOfPeak(page: Page, ratio: number): Promise<{ readonly length: number; readonly tip: number }> {
  const { width, height } = await page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('.lane canvas')!
    return { width: canvas.width, height: canvas.height }
  })
  // Beside the marks of the axis, a fourth of the way down, there is nothing but the peak and faint lines.
  const left = 60 * ratio
  const row = await pixelsOf(page, [left, Math.round(height / 4), width - left, 1])
  const contrasts = row.map(contrast)
  const column = await pixelsOf(page, [left + contrasts.indexOf(Math.max(...contrasts)), 0, 1, height])
  const top = column.findIndex((pixel) => contrast(pixel) >= 1.5)
  const end = column.findIndex((pixel, index) => index > top && contrast(pixel) < 3.1)
  return { length: (end - top) / ratio, tip: contrast(column[top + 1] ?? []) }
}

/** Runs in the page. */
export function fillOf(one: Element): string {
  return getComputedStyle(one).backgroundColor
}

/** Runs in the page: drops what a browser without `::details-content` would drop. */
export function forgetDetailsContent() {
  for (const sheet of document.styleSheets)
    for (let at = sheet.cssRules.length - 1; at >= 0; at--) {
      const rule = sheet.cssRules[at]
      const isUnknown =
        rule instanceof CSSSupportsRule || (rule as CSSStyleRule).selectorText?.includes('::details-content')
      if (rule?.cssText.includes('::details-content') === true && isUnknown) sheet.deleteRule(at)
    }
}

/** Runs in the page: every opaque colour of the canvases. */
export function inksOfLanes(): string[] {
  const inks = new Set<string>()
  for (const canvas of document.querySelectorAll<HTMLCanvasElement>('.uplot canvas')) {
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
    for (let at = 0; at < data.length; at += 4)
      if (data[at + 3] === 255) inks.add(`rgb(${data[at]}, ${data[at + 1]}, ${data[at + 2]})`)
  }
  return [...inks]
}
