import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillHouse, HOUR, type House, makeHouse } from '../support/analyse-house.ts'
import { OPERATOR, signedInAt, startConsoleServer } from '../support/console-server.ts'
import type { LoginServer } from '../support/login-server.ts'
import { launchChromium, NO_CHROMIUM } from './chromium.ts'

// Answers that are late, lost connections, and keys that are pressed twice, while somebody looks at a system.

describe.skipIf(NO_CHROMIUM)('a page of a system in a browser (needs Chromium)', () => {
  let browser: Browser
  let server: LoginServer
  let house: House
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([launchChromium(), startConsoleServer()])
    house = await makeHouse(server.context)
    await fillHouse(server.context, house)
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  async function analyse(path: string): Promise<Page> {
    const { page } = await signedInAt(browser, server, path, OPERATOR)
    await page.locator('.axis .tick').first().waitFor()
    return page
  }

  it('keeps its crosshair after a press on the time axis that moves nothing', async () => {
    const page = await analyse(`${house.path('flow')}&to=${new Date(house.now).toISOString()}`)
    const box = (await page.locator('.axis').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 40, y)
    await page.mouse.move(x, y)
    await page.mouse.up()
    await page.mouse.move(x, box.y - 60)
    expect(await page.locator('.cross').isVisible()).toBe(true)
  })

  it('shows a late point not as the latest', async () => {
    const page = await analyse(`${house.path('power', 'return')}&window=24h`)
    const row = page.locator(`#chooser [data-series="${house.show('power')}"]`)
    await house.send([house.point('power', 31_001, Date.now())])
    await row.getByText('31,001').waitFor()
    await house.send([house.point('power', 31_002, Date.now() - 10 * HOUR)])
    await house.send([house.point('return', 31.5, Date.now())])
    await page
      .locator(`#chooser [data-series="${house.show('return')}"]`)
      .getByText('31.5')
      .waitFor()
    expect(await row.textContent()).toContain('31,001')
  })

  it('says that it is not known whether a value was set where the answer did not arrive', async () => {
    const page = await analyse(`${house.path('target')}&window=1h`)
    let isCut = true
    await page.route('**/analyse/set?*', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      return isCut ? route.abort() : route.fulfill({ status: 503, contentType: 'text/html', body: 'busy' })
    })
    for (const told of ['Failed to fetch', '503']) {
      await page.keyboard.press('s')
      const dialog = page.getByRole('dialog', { name: 'Set Target' })
      await dialog.getByLabel('New value').fill('46.5')
      await dialog.getByRole('button', { name: 'Set 46.5 °C' }).click()
      await page.getByText(`The value may be set: ${told}`).waitFor()
      expect(await page.getByText('Nothing was set').count()).toBe(0)
      isCut = false
    }
  })

  it('keeps the tables of the window that somebody has gone to, whatever arrives late', async () => {
    const page = await analyse(`${house.path('target')}&window=1h`)
    const tables = Promise.withResolvers<() => Promise<void>>()
    await page.route('**/analyse?*', async (route) => {
      const isOfTables = !route.request().url().includes('to=')
      if (!isOfTables) return route.continue()
      const response = await route.fetch()
      const late = (await response.text()).replace('things beside the values', 'late things')
      return tables.resolve(() =>
        route.fulfill({ response, body: late.replace(' thing beside', ' late things beside') }),
      )
    })
    await setTarget(page)
    const answerLate = await tables.promise
    await page.getByRole('link', { name: 'Earlier' }).click()
    await page.waitForURL(/to=/)
    await page.waitForFunction(() => document.getElementById('picture')?.dataset['isDrawn']?.includes('to='))
    const arrived = page.waitForResponse(
      (answer) => !answer.url().includes('to=') && answer.url().includes('/analyse?'),
    )
    await answerLate()
    await (await arrived).finished()
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    expect(await page.locator('#below').textContent()).not.toContain('late things')
  })

  it('asks for nothing more after the session has ended', async () => {
    const page = await analyse(`${house.path('power')}&window=1h`)
    await page.clock.install()
    await page.reload()
    await page.locator('.axis .tick').first().waitFor()
    await page.context().clearCookies()
    const asked: string[] = []
    page.on('request', (request) => {
      // An earlier request may still be led to the page for signing in.
      if (request.redirectedFrom() === null) asked.push(new URL(request.url()).pathname)
    })
    await page.clock.runFor(31_000)
    await page.getByText('nobody is signed in any more').waitFor()
    asked.length = 0
    await page.clock.runFor(120_000)
    expect(asked).toStrictEqual([])
  })

  it('shows the first value of a series in the list as soon as it arrives', async () => {
    const page = await analyse(`${house.path('never')}&window=1h`)
    const row = page.locator(`#chooser [data-series="${house.show('never')}"]`)
    await house.send([house.point('never', 12.5, Date.now() - 2 * HOUR)])
    await row.getByText('12.5').waitFor()
    expect(await row.locator('.value').textContent()).toBe('12.5 °C')
    expect(await row.locator('time').textContent()).toBe('2 h')
  })

  it('says how old the values in the list are by now', async () => {
    const page = await analyse(`${house.path('flow')}&window=1h&live=off`)
    await page.clock.install()
    await page.reload()
    await page.locator('.axis .tick').first().waitFor()
    const age = page.locator(`#chooser [data-series="${house.show('note')}"] time`)
    expect(await age.textContent()).toBe('1 h')
    await page.clock.runFor(2 * HOUR)
    expect(await age.textContent()).toBe('3 h')
  })

  it('follows nothing while nobody sees the tab, and reads again what came meanwhile', async () => {
    const page = await analyse(`${house.path('power')}&window=1h`)
    const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/analyse/live'))
    const turn = (isHidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
        document.dispatchEvent(new Event('visibilitychange'))
      }, isHidden)
    await turn(true)
    expect((await ended).url()).toContain('/analyse/live')
    const asked = page.waitForRequest((request) => request.url().includes('/analyse/data'))
    const followed = page.waitForRequest((request) => request.url().includes('/analyse/live'))
    await turn(false)
    await Promise.all([asked, followed])
  })

  it('asks for the tables twice a minute, though an event was told while they were shown', async () => {
    const page = await analyse(`${house.path('power')}&window=1h`)
    await page.addInitScript(() => {
      const told = new EventTarget()
      const fake = function EventSource() {
        return Object.assign(told, { close: () => undefined })
      }
      Object.assign(globalThis, { told, EventSource: fake })
    })
    await page.clock.install()
    await page.goto(`${server.url}${house.path('power')}&window=1h&view=table`)
    await page.locator('#live').waitFor()
    await page.evaluate(() => (globalThis as { told?: EventTarget }).told?.dispatchEvent(new Event('events')))
    let count = 0
    page.on('request', (request) => (count += Number(request.url().includes('/analyse?'))))
    await page.clock.runFor(61_000)
    expect(count).toBeGreaterThan(0)
    expect(count).toBeLessThanOrEqual(3)
  })

  it('finds the colours of states with several options in a time that grows with their number', async () => {
    const page = await analyse(`${house.path('power')}&window=1h`)
    const texts = await page.evaluate(async () => {
      const script = document.querySelector<HTMLScriptElement>('script[src$="/analyse.js"]')?.src
      const { StateStrip } = (await import(new URL('states.js', script).href)) as { StateStrip: StripClass }
      let count = 0
      class Several extends Array<string> {
        override toString(): string {
          count += 1
          return super.toString()
        }
      }
      const runs = Array.from({ length: 300 }, (_, at) => ({
        from: at,
        to: at + 1,
        value: Several.of('a', String(at % 3)),
      }))
      const series = { runs, setpoints: [], options: { a: { label: 'A', colour: null } } }
      new StateStrip(document.body, series, {
        view: () => ({ from: 0, to: 300, now: 300 }),
        edges: { left: 0, right: 0 },
      }).resize(600)
      return count
    })
    expect(texts).toBeGreaterThan(0)
    expect(texts).toBeLessThan(2_000)
  })

  it('sends a form once, though its button is pressed twice', async () => {
    const { page } = await signedInAt(browser, server, '/systems/new', OPERATOR)
    // Such an event sends nothing. It only asks the script of the page.
    const isStopped = await page.evaluate(() => {
      const form = document.querySelector('main form')
      const press = () => form?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true })) === false
      return [press(), press()]
    })
    expect(isStopped).toStrictEqual([false, true])
  })
})

type StripClass = new (place: Element, series: object, options: object) => { resize(width: number): void }

async function setTarget(page: Page): Promise<void> {
  await page.keyboard.press('s')
  const dialog = page.getByRole('dialog', { name: 'Set Target' })
  await dialog.getByLabel('New value').fill('46.5')
  await dialog.getByRole('button', { name: 'Set 46.5 °C' }).click()
}
