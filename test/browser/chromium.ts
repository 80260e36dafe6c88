import axe from 'axe-core'
import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { runsOf } from '../support/runs.ts'
import { PATIENCE } from '../support/patience.ts'

// Tests with a real browser: the one of the system, or that of CHROMIUM_PATH.

/** The first draws the same pages without a window, for two thirds of the processor time. */
const SYSTEM_PATHS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const PATH = process.env['CHROMIUM_PATH'] ?? SYSTEM_PATHS.find(existsSync) ?? ''

/** For `describe.skipIf(NO_CHROMIUM)('… (Chromium)')`. */
export const NO_CHROMIUM = !existsSync(PATH)

let shared: Promise<Browser> | undefined

/** One browser for all files of a process: to start it takes longer than many tests. To close it closes its profiles. */
export async function launchChromium(): Promise<Browser> {
  // Its sandbox does not work for root, whom containers run as; it only visits what the test serves.
  shared ??= chromium.launch({ executablePath: PATH, args: ['--no-sandbox'] })
  const browser = await shared
  if (!browser.isConnected()) {
    shared = undefined
    return launchChromium()
  }
  const closeProfiles = () => Promise.all(browser.contexts().map((context) => context.close()))
  const handle: Browser = Object.create(browser) as Browser
  return Object.assign(handle, { close: async () => void (await closeProfiles()) })
}

export const PHONE = { viewport: { width: 360, height: 740 } } as const

/** A new profile of the browser. What its console complains about is found in `complaints`. */
export async function newVisitor(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ readonly context: BrowserContext; readonly page: Page; readonly complaints: readonly string[] }> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(PATIENCE.timeout)
  const page = await context.newPage()
  const complaints: string[] = []
  // A browser also reports every answer with a status from 400 on; those are meant.
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { context, page, complaints }
}

/** What the application is told, once the browser is back there. */
export async function answerAt(page: Page, callback: string): Promise<{ [name: string]: string }> {
  await page.waitForURL(({ href }) => href.startsWith(`${callback}?`))
  return Object.fromEntries(new URL(page.url()).searchParams)
}

/** Nothing that axe finds, nothing cut off, and nothing too small for a finger. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoFinding(page)
  expect(await page.evaluate(measure)).toMatchObject({ small: [] })
}

/** Nothing that axe finds, but by rules that a library is known to break, and nothing cut off. */
export async function expectNoFinding(page: Page, known: readonly string[] = []): Promise<void> {
  await expectFits(page)
  if ((await page.evaluate(() => 'axe' in globalThis)) === false) await page.evaluate(axe.source)
  const violations = await page.evaluate(findViolations)
  const found = violations.filter((one) => !known.some((rule) => one.startsWith(`${rule}: `)))
  expect({ url: page.url(), found }).toStrictEqual({ url: page.url(), found: [] })
}

async function expectFits(page: Page): Promise<void> {
  // A chart takes the width of its page only when the next frame is drawn.
  await page.evaluate(nextFrame)
  const { isTooWide, lang } = await page.evaluate(measure)
  const own = { url: page.url(), width: page.viewportSize()?.width }
  expect({ ...own, isTooWide, lang }).toStrictEqual({ ...own, isTooWide: false, lang: 'en' })
}

const LOOKS = [
  { width: 1_440, colorScheme: 'light' },
  { width: 375, colorScheme: 'dark' },
  { width: 1_440, colorScheme: 'dark' },
  { width: 375, colorScheme: 'light' },
] as const

/**
 * Nothing is cut off, wide and on a phone, and axe finds nothing. It takes half a second, so it looks at pages in one of two
 * looks by turns, and in all four in `npm run test:long`.
 */
export async function expectNoFindingInAnyLook(page: Page, turn: number): Promise<void> {
  const count = runsOf('LOOKS', { sample: 2, long: LOOKS.length })
  for (const [index, { width, colorScheme }] of LOOKS.slice(0, count).entries()) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await (count === LOOKS.length || turn % count === index ? expectNoFinding(page) : expectFits(page))
  }
}

/** Runs in the page, which tells what breaks a rule, and not the thousands of places where all is well. */
async function findViolations(): Promise<readonly string[]> {
  // The size of targets (WCAG 2.2, 2.5.8) is the only rule that axe does not look at by itself.
  const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({
    resultTypes: ['violations'],
    rules: { 'target-size': { enabled: true } },
  })
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`)
}

/** Runs in the page. Observers of sizes run after the callbacks of a frame, so the frame after it shows what they did. */
function nextFrame() {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
}

/** Runs in the page. 44 px is what WCAG 2.2 asks of a target (2.5.5). */
function measure() {
  const targets = [...document.querySelectorAll<HTMLElement>('button, a.button, input:not([type=hidden])')]
  return {
    isTooWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    small: targets.filter((target) => target.getBoundingClientRect().height < 44).map((target) => target.outerHTML),
    lang: document.documentElement.lang,
  }
}

/** Of the element that has the keyboard: its label or text. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement as (HTMLElement & { labels?: NodeListOf<HTMLElement> }) | null
    return (element?.labels?.[0]?.innerText ?? element?.innerText ?? '').trim()
  })
}
