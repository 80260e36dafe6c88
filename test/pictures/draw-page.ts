import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

// Pictures of pages, and the texts that tell when a picture is stale: builds of Chromium draw other pixels, so tests compare
// what is drawn, and not how it looks.

const ROOT = join(import.meta.dirname, '../..')

/** `npm run pictures`: the tests draw the pictures and write what they drew. */
export const drawsPictures = process.env['DRAW_PICTURES'] !== undefined

/** The text in `golden/NAME` that a picture was drawn of. `npm run pictures` first writes what it is drawn of today. */
export function lastDrawn(name: string, today: string): string {
  const file = new URL(`golden/${name}`, import.meta.url)
  if (drawsPictures) writeFileSync(file, today)
  return readFileSync(file, 'utf8')
}

/** Writes `docs/NAME-light.webp` and `docs/NAME-dark.webp`, for screens with two pixels for one of the page. */
export async function drawPage(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(waitUntilDrawn)
    const session = await page.context().newCDPSession(page)
    // Chromium takes the quality 100 as: without loss.
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 100 })
    await session.detach()
    writeFileSync(join(ROOT, `docs/${name}-${colorScheme}.webp`), Buffer.from(data, 'base64'))
  }
}

/** Runs in the page. A chart is drawn anew in the frame after its colours have changed. */
async function waitUntilDrawn() {
  await document.fonts.ready
  for (let frame = 0; frame < 5; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
}

/** The letters of the console, for pages that the test makes. */
export function fontFaces(): string {
  return `${fontFace('Plex', 'plex-sans-latin')}\n${fontFace('Plex Mono', 'plex-mono-latin')}`
}

function fontFace(family: string, file: string): string {
  const letters = readFileSync(join(ROOT, `src/server/fonts/${file}.woff2`)).toString('base64')
  return `@font-face { font-family: '${family}'; font-weight: 100 900; src: url(data:font/woff2;base64,${letters}); }`
}
