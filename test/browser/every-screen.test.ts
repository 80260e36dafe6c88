import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listApplies } from '../../src/platform/imports/history/applies.ts'
import { updateRecord } from '../../src/platform/records/change-record.ts'
import { createEvent } from '../../src/platform/systems/events.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { applyAll } from '../support/domain.ts'
import { OPERATOR, signedInAt, startConsoleServer } from '../support/console-server.ts'
import { ALARMS, makeFiguresHouse, type FiguresHouse } from '../support/figures-house.ts'
import type { LoginServer } from '../support/login-server.ts'
import { isLong, runsOf } from '../support/runs.ts'
import { fillOf, forgetDetailsContent, inkOfPeak, inksOfLanes, leftmostInk } from './ink.ts'
import { launchChromium, newVisitor, NO_CHROMIUM } from './chromium.ts'

const RATIOS = [1, 1.25, 1.5, 2, 3]
const WIDTHS = [320, 360, 375, 414, 600, 768, 960, 961, 1_000, 1_024, 1_060, 1_100, 1_279, 1_280, 1_440, 1_920]

/** Each ratio and each width that broke once; all pairs in `npm run test:long`. */
const SAMPLED = [1_920, 320, 1_024, 961, 1_440]

const PAGES = ['/', '/systems', '/model', '/applies', '/plans/new', '/organizations', '/users', '/machine-users']
const ACCESS = ['/application-consumers', '/application-consumers/new', '/auth-methods', '/auth-methods/new']
const OTHERS = [...ACCESS, '/keys', '/search?q=a', '/users/new', '/console/components']

describe.skipIf(NO_CHROMIUM)('The console on every screen (needs Chromium)', () => {
  let browser: Browser
  let server: LoginServer
  let house: FiguresHouse
  let signedIn: Exclude<BrowserContextOptions['storageState'], undefined>

  beforeAll(async () => {
    ;[browser, server] = await Promise.all([launchChromium(), startConsoleServer()])
    house = await makeFiguresHouse(server.context)
    const { page } = await signedInAt(browser, server, '/systems', OPERATOR)
    signedIn = await page.context().storageState()
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  async function opened(path: string, options: BrowserContextOptions = {}) {
    const { page, complaints } = await newVisitor(browser, { timezoneId: 'UTC', storageState: signedIn, ...options })
    await page.goto(server.url + path)
    return { page, complaints }
  }

  async function openedChart(path: string, options: BrowserContextOptions = {}) {
    const visitor = await opened(path, options)
    await visitor.page.locator('#picture[data-is-drawn]').waitFor()
    await twoFrames(visitor.page)
    return visitor
  }

  it.each(isLong ? RATIOS : [1.25, 3])(
    'draws each canvas as large as its lane with %f pixels of the screen for one of the page',
    async (ratio) => {
      const { page, complaints } = await openedChart(house.path('tiny', 'counter', 'peak', 'lock'), {
        deviceScaleFactor: ratio,
      })
      const widths =
        runsOf('WIDTHS', { sample: 1, long: WIDTHS.length }) === 1 ? [SAMPLED[RATIOS.indexOf(ratio)]!, 375] : WIDTHS
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        await twoFrames(page)
        const { canvases, isTooWide, legends } = await page.evaluate(measureChart)
        const own = { ratio, width, isTooWide, legends }
        expect(own).toStrictEqual({ ratio, width, isTooWide: false, legends: [] })
        expect(canvases.length).toBe(5)
        for (const { css, lane, pixels, height, rows } of canvases)
          expect({ css, pixels, rows }).toStrictEqual({
            css: lane,
            pixels: Math.round(lane * ratio),
            rows: Math.round(height * ratio),
          })
      }
      expect(complaints).toStrictEqual([])
    },
  )

  it(
    'has no page that scrolls sideways, and none whose HTML a browser has to repair',
    { timeout: 180_000 },
    async () => {
      const { page } = await opened('/plans/new')
      // In `npm test`, console-systems.test.ts looks whether the rest of the others fit.
      const others = OTHERS.filter((_, at) => isLong || at % 2 === 1)
      const paths = [...PAGES, ...others, ...(await pathsOfWork(page))]
      const widths = runsOf('WIDTHS', { sample: 1, long: WIDTHS.length }) === 1 ? SAMPLED : WIDTHS
      const found: object[] = []
      for (const path of paths) {
        await page.goto(server.url + path)
        // A browser closes a paragraph before a form, and makes an empty one of the end that is left.
        const repaired = await page.locator('span form, p form, p:empty:not([role]), [action=""]').count()
        if (repaired > 0) found.push({ path, repaired })
        for (const width of widths) {
          await page.setViewportSize({ width, height: 800 })
          const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
          if (over > 0) found.push({ path, width, over })
        }
      }
      expect(found).toStrictEqual([])
    },
  )

  /** A plan, an apply, drift, a record and every tab of a system. */
  async function pathsOfWork(page: Page): Promise<readonly string[]> {
    const { context } = server
    await updateRecord(context, 'characteristics', 'lock', { description: 'Changed by hand' }, [])
    const services = [{ code: 'values', name: 'Fewer values', characteristics: [{ code: 'tiny' }] }]
    await page.locator('textarea[name=document]').fill(JSON.stringify({ services }))
    await page.getByRole('button', { name: 'Plan', exact: true }).click()
    await page.waitForURL(/plans\/[0-9a-f-]{36}$/)
    const [apply] = await listApplies(context, 1, null)
    const system = `/systems/${house.systemUuid}`
    const tabs = ['', '/setpoints', '/events', '/refused', '/credentials', '/metadata', '/analyse'].map(
      (tab) => system + tab,
    )
    const records = ['/model/characteristics', '/model/characteristics/lock', '/model/componentModels/probe']
    return [new URL(page.url()).pathname, `/applies/${apply?.uuid}`, '/drift', ...records, ...tabs]
  }

  it('unfolds the list of characteristics in a browser that does not know ::details-content', async () => {
    const { page } = await openedChart(house.path('tiny'), { viewport: { width: 1_280, height: 800 } })
    await page.evaluate(forgetDetailsContent)
    await page.locator('.choose > summary').click()
    expect(await page.locator('#chooser li').first().isVisible()).toBe(true)
  })

  it('shows in forced colours which characteristics are chosen, and which line is whose', async () => {
    const { page } = await openedChart(house.path('tiny', 'peak'), { forcedColors: 'active' })
    const boxes = page.locator('#chooser .service input')
    const [chosen, other] = [
      boxes.and(page.locator(':checked')).first(),
      boxes.and(page.locator(':not(:checked)')).first(),
    ]
    expect(await chosen.evaluate(fillOf)).not.toBe(await other.evaluate(fillOf))
    const lines = await page
      .locator('.legend .line')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).borderTopColor))
    expect(new Set(lines).size).toBe(2)
    expect(await page.evaluate(inksOfLanes)).toEqual(expect.arrayContaining(lines))
  })

  it('shows and says a very small value as it is', async () => {
    const { page } = await openedChart(`${house.path('tiny')}&window=1h`)
    expect(await page.locator('#chooser li[data-series$=tiny] .value').innerText()).toBe('1.2e-12 mol/s')
    expect(await page.locator('.legend td.at strong').innerText()).toBe('1.2e-12')
    await page.locator('#picture').focus()
    await page.keyboard.press('End')
    expect(await page.locator('#analyse > [role=status]').innerText()).toMatch(/Tiny concentration 1\.2e-12 mol\/s$/)
    await page.keyboard.press('t')
    const first = page.locator('table.values tbody tr').first()
    await first.waitFor()
    expect(await first.innerText()).toMatch(/\s1\.2e-12$/)
  })

  it('says every digit of a value at the crosshair, also of a whole number that no double holds', async () => {
    const viewport = { width: 1_440, height: 900 }
    const { page } = await openedChart(`${house.path('counter', 'fraction')}&window=1h`, { viewport })
    expect(await page.locator('.legend td.at strong').allInnerTexts()).toStrictEqual([
      '9,007,199,254,741,591',
      '0.123456789',
    ])
    expect(await page.evaluate(leftmostInk)).toBeGreaterThan(0)
    expect(await page.locator('.legend tbody').first().innerText()).toMatch(
      /9,007,199,254,741,53\d\s.*9,007,199,254,741,591/,
    )
    await page.locator('#picture').focus()
    await page.keyboard.press('End')
    expect(await page.locator('#analyse > [role=status]').innerText()).toMatch(
      /Counter 9,007,199,254,741,591 Wh; Fraction 0\.123456789 m$/,
    )
  })

  it.each([1, 2])('draws a peak of one bucket in the full colour of its line, at ratio %f', async (ratio) => {
    const { page } = await openedChart(`${house.path('peak')}&window=24h`, {
      deviceScaleFactor: ratio,
      viewport: { width: 1_440, height: 900 },
      colorScheme: 'light',
    })
    const { length, tip } = await inkOfPeak(page, ratio)
    // The mean of its minute is 155, and the stroke goes on from there to 251.
    expect(tip).toBeGreaterThanOrEqual(3.1)
    expect(length).toBeGreaterThan(100)
  })

  it('draws each combination of options in a colour of its own, and none of them as rest', async () => {
    const { page } = await openedChart(`${house.path('alarms')}&window=1h`, { colorScheme: 'light' })
    const colours = await page.locator('canvas.strip').evaluate((canvas: HTMLCanvasElement, count) => {
      const brush = canvas.getContext('2d')!
      const width = (canvas.width - 68 * devicePixelRatio) / count
      const middles = Array.from({ length: count }, (_, index) => 56 * devicePixelRatio + (index + 0.8) * width)
      return middles.map((x) => String(brush.getImageData(Math.round(x), 4, 1, 1).data))
    }, ALARMS.length)
    expect(new Set(colours).size).toBe(ALARMS.length)
    // The resting state is a line at the foot.
    expect(colours[1]).toBe('0,0,0,0')
    expect(await page.locator('.state-head strong').innerText()).toBe('High, Low')
  })

  it('stays with what it shows where the platform cannot be reached', async () => {
    const { page, complaints } = await openedChart(`${house.path('peak')}&window=24h`)
    const before = page.url()
    await page.context().setOffline(true)
    await page.locator('#picture').focus()
    await page.keyboard.press('+')
    await page.getByText('The platform cannot be reached').waitFor()
    expect([page.url(), await page.locator('.legend tbody tr').count()]).toStrictEqual([before, 1])
    await page.context().setOffline(false)
    await page.keyboard.press('+')
    await page.waitForURL(/from=/)
    expect(complaints).toStrictEqual([])
  })

  it('names the zone of each time that comes twice when summer time ends', async () => {
    const window = 'from=2026-10-25T00%3A46%3A00.000Z&to=2026-10-25T01%3A42%3A00.000Z'
    const { page } = await openedChart(house.path('peak'), { timezoneId: 'Europe/Berlin' })
    await page.context().addCookies([{ name: 'holdfast-zone', value: 'Europe/Berlin', url: server.url }])
    await page.goto(`${server.url}${house.path('peak')}&${window}`)
    await page.locator('#picture[data-is-drawn]').waitFor()
    const ticks = await page.locator('.axis .tick').allInnerTexts()
    expect(ticks).toContain('02:50 CEST')
    expect(ticks).toContain('02:00 CET')
    expect(ticks).toContain('02:40 CET')
    expect(new Set(ticks).size).toBe(ticks.length)
    await page.locator('#picture').focus()
    await page.keyboard.press('End')
    expect(await page.locator('.flag').innerText()).toBe('02:42:00 CET')
  })

  it('breaks no name of who did something where words have room', async () => {
    const eventModel = 'long-event-model-with-a-name'
    const model = { code: eventModel, message: 'The valve does not move', eventType: 'RANGED', entityType: 'SYSTEM' }
    await applyAll(server.context, { eventModels: [{ ...model, eventLevel: 'INFO' }] })
    const byOperator = { ...server.context, actorName: 'operator' }
    await createEvent(byOperator, EVERYWHERE, { system: house.systemUuid, eventModel })
    const { page } = await opened(`/systems/${house.systemUuid}/events`)
    const widths = runsOf('WIDTHS', { sample: 1, long: WIDTHS.length }) === 1 ? [1_024, 1_440] : WIDTHS
    for (const width of widths.filter((one) => one >= 640)) {
      await page.setViewportSize({ width, height: 800 })
      const lines = await page
        .locator('td.by')
        .first()
        .evaluate((cell: HTMLElement) => {
          const range = document.createRange()
          range.selectNodeContents(cell)
          return { text: cell.innerText, lines: new Set([...range.getClientRects()].map(({ top }) => top)).size }
        })
      expect({ width, ...lines }).toStrictEqual({ width, text: 'operator', lines: 1 })
    }
  })
})

/** Observers of sizes run after the callbacks of a frame, so the frame after it shows what they did. */
function twoFrames(page: Page): Promise<unknown> {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/** Runs in the page: how large each canvas is, what is wider than the page, and which columns of a legend touch. */
function measureChart() {
  const lane = document.querySelector('#picture')!.getBoundingClientRect()
  const canvases = [...document.querySelectorAll<HTMLCanvasElement>('#picture canvas')].map((canvas) => ({
    css: canvas.getBoundingClientRect().width,
    height: canvas.getBoundingClientRect().height,
    lane: lane.width,
    pixels: canvas.width,
    rows: canvas.height,
  }))
  const cells = [...document.querySelectorAll('.legend tr > *')]
  const hasRoom = (cell: Element) =>
    cell.scrollWidth <= cell.clientWidth + 1 && cell.getBoundingClientRect().right <= lane.right + 1
  return {
    canvases,
    isTooWide: document.documentElement.scrollWidth > innerWidth,
    legends: cells.filter((cell) => !hasRoom(cell)).map(({ textContent }) => textContent),
  }
}
