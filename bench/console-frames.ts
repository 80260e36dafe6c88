import { chromium, type CDPSession, type Page } from 'playwright-core'
import type { Credentials } from '../src/server/process/credentials.ts'
import { percentile } from './measure.ts'

export interface Frames {
  readonly count: number
  /** Between two frames, in milliseconds. */
  readonly median: number
  readonly p95: number
  readonly longest: number
  /** Shares of frames that came after more than two, and after more than three frames of 60 a second. */
  readonly late: number
  readonly veryLate: number
  /** Of scripts, styles and layout, for a frame, in milliseconds. */
  readonly work: number
}

const PATH = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
const MOVES = 240

/** Draws the time axis of the charts at this address to and fro with the pointer, and takes the time of every frame. */
export async function measureFrames(url: string, path: string, credentials: Credentials): Promise<Frames> {
  const browser = await chromium.launch({ executablePath: PATH, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } })
    await signIn(page, url, credentials)
    await page.goto(url + path)
    await page.locator('.axis .tick').first().waitFor()
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable')
    const before = await workOf(session)
    const gaps = await page.evaluate(drawToAndFro, MOVES)
    const over = (limit: number) => gaps.filter((gap) => gap > limit).length / gaps.length
    return {
      count: gaps.length,
      median: percentile(gaps, 0.5),
      p95: percentile(gaps, 0.95),
      longest: percentile(gaps, 1),
      late: over(34),
      veryLate: over(51),
      work: (await workOf(session)) - before,
    }
  } finally {
    await browser.close()
  }
}

/** How long the page has worked so far, in milliseconds for each of the frames. */
async function workOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? 0
  return ((of('ScriptDuration') + of('LayoutDuration') + of('RecalcStyleDuration')) * 1_000) / MOVES
}

async function signIn(page: Page, url: string, { username, password }: Credentials): Promise<void> {
  await page.goto(`${url}/systems`)
  await page.getByLabel('E-mail address or user name').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${url}/systems`)
}

/** Runs in the page. In each frame the pointer is elsewhere, as a hand moves it. Returns the milliseconds between frames. */
async function drawToAndFro(moves: number): Promise<number[]> {
  const axis = document.querySelector<HTMLElement>('.axis')
  if (axis === null) throw new Error('there is no time axis')
  const { left, top, width } = axis.getBoundingClientRect()
  const pointer = (type: string, x: number) =>
    axis.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0, pointerId: 1, clientX: x, clientY: top + 5 }))
  const frame = () =>
    new Promise<number>((resolve) => {
      axis.ownerDocument.defaultView?.requestAnimationFrame(resolve)
    })
  HTMLElement.prototype.setPointerCapture = () => undefined
  pointer('pointerdown', left + width / 2)
  const times = [await frame()]
  for (let move = 0; move < moves; move++) {
    pointer('pointermove', left + width / 2 + (width / 2) * Math.sin(move / 20))
    times.push(await frame())
  }
  return times.slice(1).map((time, index) => time - (times[index] ?? 0))
}
