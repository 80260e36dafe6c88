import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerSetpoints } from '../../src/platform/setpoints/answer-setpoints.ts'
import { takePending, targetOfDevice } from '../../src/platform/setpoints/take-pending.ts'
import { createComponents } from '../../src/platform/systems/components.ts'
import { createEvent } from '../../src/platform/systems/events.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { createSystem } from '../../src/platform/systems/systems.ts'
import { DAY, fillHouse, type House, type HouseCode, houseModel, makeHouse, MINUTE } from '../support/analyse-house.ts'
import { OPERATOR, signedInAt, signIn, signInAnew, startConsoleServer } from '../support/console-server.ts'
import { applyAll } from '../support/domain.ts'
import { setGrants } from '../support/grants.ts'
import { ANN, type LoginServer } from '../support/login-server.ts'
import { runsOf } from '../support/runs.ts'
import { expectNoFinding, expectNoFindingInAnyLook, focused, launchChromium, NO_CHROMIUM } from './chromium.ts'

/** To draw a long name takes Chromium long, so the longest ones are left to `npm run test:long`. */
const LONGEST = runsOf('NAME_LENGTH', { sample: 2_000, long: 10_000 })

/** Runs in the page: a chart is a canvas, of whose texts nothing else can be asked. */
function notePaintedTexts(): void {
  const painted: string[] = []
  Object.assign(globalThis, { painted })
  const paint = CanvasRenderingContext2D.prototype.fillText
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    painted.push(text)
    paint.call(this, text, ...place)
  }
}

const drawn = (page: Page, window: string) =>
  page.waitForFunction(
    (name) => document.getElementById('picture')?.dataset['isDrawn']?.includes(`window=${name}`),
    window,
  )

describe.skipIf(NO_CHROMIUM)(
  'setpoints on the chart, what arrives while it is open, and what Analyse looks like, in a browser (needs Chromium)',
  () => {
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

    const opened = (path: string, options?: Parameters<typeof signedInAt>[4]) =>
      signedInAt(browser, server, path, OPERATOR, options)

    it.each([
      ['after the session had ended', /console$|session$/],
      ['after the session of the console alone had ended', /console$/],
    ])('brings a value back that was sent %s', async (_, ended) => {
      const { page, complaints } = await opened(`${house.path('target')}&window=1h`)
      await page.locator('.axis .tick').first().waitFor()
      await page.keyboard.press('s')
      const dialog = page.getByRole('dialog', { name: 'Set Target' })
      await dialog.getByLabel('New value').fill('46.5')
      await page.context().clearCookies({ name: ended })
      await dialog.getByRole('button', { name: 'Set 46.5 °C' }).click()
      if (ended.test('session')) await signIn(page, OPERATOR)
      await page.getByRole('link', { name: 'Open the form again' }).click()
      await page.getByText('This is your text from before').waitFor()
      expect(await page.getByLabel('New value').inputValue()).toBe('46.5')
      expect(complaints).toStrictEqual([])
    })

    it('brings a value back that was sent after another tab had signed in again', async () => {
      const { page, complaints } = await opened(`${house.path('target')}&window=1h`)
      await page.locator('.axis .tick').first().waitFor()
      await page.keyboard.press('s')
      const dialog = page.getByRole('dialog', { name: 'Set Target' })
      await dialog.getByLabel('New value').fill('46.5')
      await signInAnew(page)
      await dialog.getByRole('button', { name: 'Set 46.5 °C' }).click()
      await page.getByRole('link', { name: 'Open the form again' }).click()
      await page.getByText('This is your text from before').waitFor()
      expect(await page.getByLabel('New value').inputValue()).toBe('46.5')
      expect(complaints).toStrictEqual([])
    })

    it('goes to the page of the form where the dialog cannot be loaded', async () => {
      const { page } = await opened(`${house.path('target')}&window=1h`)
      await page.locator('.axis .tick').first().waitFor()
      await page.route(/\/analyse\/set\b/, (route) => route.abort())
      const gone = page.waitForEvent('requestfailed', (request) => request.isNavigationRequest())
      await page.keyboard.press('s')
      expect((await gone).url()).toContain('/analyse/set')
    })

    it('sets a value on the chart by keys, where one then sees and hears what becomes of it', async () => {
      const { page, complaints } = await opened(`${house.path('flow')}&window=1h`)
      await page.locator('.axis .tick').first().waitFor()
      await page.keyboard.press('s')
      const dialog = page.getByRole('dialog', { name: 'Set Operating mode' })
      await dialog.getByLabel('Setting').selectOption({ label: 'Heat pump 0: Target' })
      const target = page.getByRole('dialog', { name: 'Set Target' })
      await target.getByText('Reported now: 42.0 °C').waitFor()
      expect(await focused(page)).toBe('New value in °C')
      await page.keyboard.type('61')
      await expectNoFinding(page)
      // The browser would stop here, and the platform judges it all the same.
      await target.locator('form[method=post]').evaluate((form) => form.setAttribute('novalidate', ''))
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      expect(await page.getByRole('alert').innerText()).toMatch(/61 is above boundaryMax \(60\)/)
      await target.getByLabel('New value').fill('47.5')
      await target.getByRole('button', { name: 'Set 47.5 °C' }).click()
      await target.waitFor({ state: 'hidden' })
      await page.getByRole('row', { name: /^Target/ }).waitFor()
      const said = page.locator('#analyse > [role=status]')
      const told = (words: RegExp) => page.locator('#in-window tr', { hasText: '47.5' }).filter({ hasText: words })
      await told(/pending/).waitFor()
      const device = await targetOfDevice(server.context, EVERYWHERE, house.componentUuids)
      const taken = (await takePending(server.context, device)).find(({ value }) => value === 47.5)
      await said.getByText('Target 47.5 °C sent').waitFor()
      await told(/sent/).waitFor()
      const answer = { uuid: taken?.uuid, state: 'REJECTED', reason: 'the valve is stuck' }
      await answerSetpoints(server.context, EVERYWHERE, [answer])
      await said.getByText('Target 47.5 °C rejected: the valve is stuck').waitFor()
      await told(/rejected: “the valve is stuck”/).waitFor()
      expect(complaints).toStrictEqual([])
    })

    it('labels each boundary with whose it is where a lane has several lines, and a narrow time axis twice at least', async () => {
      const { page } = await opened('/systems', { viewport: { width: 320, height: 800 } })
      await page.addInitScript(notePaintedTexts)
      const painted = async (...codes: readonly HouseCode[]) => {
        await page.goto(server.url + house.path(...codes))
        await page.locator('.axis .tick').first().waitFor()
        return page.evaluate(() => (globalThis as unknown as { painted: string[] }).painted)
      }
      expect(await painted('target')).toStrictEqual(expect.arrayContaining(['boundaryMax 60.0 ↑', 'boundaryMin 5.0 ↓']))
      for (const window of ['15m', '24h', '1y']) {
        await page.goto(`${server.url}${house.path('target')}&window=${window}`)
        await page.locator('.axis .tick').first().waitFor()
        const ticks = await page
          .locator('.axis .tick')
          .evaluateAll((all) =>
            all.map((one) => one.getBoundingClientRect()).map(({ left, right }) => ({ left, right })),
          )
        expect([window, ticks.length >= 2]).toStrictEqual([window, true])
        const gaps = ticks.slice(1).map(({ left }, index) => left - (ticks[index]?.right ?? 0))
        expect([window, Math.min(...gaps) > 0]).toStrictEqual([window, true])
      }
      await page.setViewportSize({ width: 1_280, height: 800 })
      const both = await painted('flow', 'target')
      expect(both).toContain('Flow temperature boundaryMax 55.0')
      expect(both).toContain('Target boundaryMax 60.0')
      expect(both.filter((text) => text.startsWith('boundary'))).toStrictEqual([])
    })

    async function openedAt(window: string): Promise<Page> {
      const { page } = await signedInAt(browser, server, '/systems', OPERATOR)
      await page.clock.install()
      await page.goto(`${server.url}${house.path('power')}&window=${window}`)
      await page.locator('.legend').first().waitFor()
      return page
    }

    it('shows an event that is told, and keeps the crosshair', async () => {
      const page = await openedAt('1h')
      await page.locator('#picture').focus()
      await page.keyboard.press('ArrowLeft')
      const before = await page.locator('.flag').textContent()
      const eventModel = { code: 'told-late', eventType: 'SINGLE_POINT', entityType: 'SYSTEM' }
      await applyAll(server.context, { ...houseModel({ flow: { boundaryMax: 55 } }), eventModels: [eventModel] })
      await createEvent(server.context, EVERYWHERE, { system: house.systemUuid, eventModel: 'told-late' })
      // The page waits 50 times as long as its last reading took, which may be seconds.
      await page.locator('.event', { hasText: 'told-late' }).waitFor({ timeout: 150_000 })
      expect(await page.locator('.flag').textContent()).toBe(before)
    })

    it('moves on in the new window where a longer one was shown before', async () => {
      const page = await openedAt('1y')
      await page.getByRole('link', { name: '15 min' }).click()
      await drawn(page, '15m')
      const places = () =>
        page.locator('.axis .tick').evaluateAll((ticks) => ticks.map((one) => (one as HTMLElement).style.left))
      const before = await places()
      await page.clock.runFor(10_000)
      expect(await places()).not.toStrictEqual(before)
    })

    it('offers to set a value to who may, and without a script on a page of its own', async () => {
      const { page } = await opened(house.path('lock', 'mode'), { javaScriptEnabled: false })
      await page.getByRole('link', { name: 'Set a value' }).click()
      await page.getByLabel('Hot water only').check()
      await page.getByLabel('Given up after').selectOption('1 hour')
      await page.getByRole('button', { name: 'Set', exact: true }).click()
      await page.waitForURL(/setpoints$/)
      expect(
        await page
          .getByRole('row', { name: /Operating mode|mode/ })
          .first()
          .innerText(),
      ).toMatch(/Hot water only\s+pending/)
      await setGrants(server.context, [{ user: ANN.email, role: 'viewer' }])
      const { page: other } = await signedInAt(browser, server, house.path('lock', 'mode'), ANN)
      await other.getByRole('link', { name: 'CSV' }).first().waitFor()
      expect(await other.getByRole('link', { name: 'Set a value' }).count()).toBe(0)
      const refused = await other.request.get(`${server.url}${house.path().split('?')[0]}/set`)
      expect(refused.status()).toBe(403)
    })

    it(
      'has nothing that axe finds in any of its states, light and dark, wide and on a phone',
      { timeout: 180_000 },
      async () => {
        const { uuid } = await createSystem(server.context, EVERYWHERE, { name: 'New house' })
        await createComponents(server.context, EVERYWHERE, [{ system: uuid, componentModel: 'pump', name: 'Pump' }])
        const all = `${house.path('flow', 'return', 'power', 'lock', 'mode', 'target', 'note')}&states=below`
        const { page, complaints } = await opened('/systems')
        const states = [
          { path: `/systems/${uuid}/analyse`, ready: '#first-datapoint' },
          { path: house.path().split('?')[0] ?? '', ready: '.hint' },
          { path: house.path('flow', 'lock'), ready: '.question' },
          { path: `${all}&view=table&window=1h`, ready: 'table.values' },
          { path: `${house.path('flow')}&to=${new Date(house.now - DAY).toISOString()}`, ready: '.axis .tick' },
          { path: house.path('target').replace('?', '/set?'), ready: '#value' },
          { path: all, ready: '.axis .tick' },
        ]
        for (const [turn, { path, ready }] of states.entries()) {
          await page.goto(server.url + path)
          await page.locator(ready).first().waitFor()
          await expectNoFindingInAnyLook(page, turn)
        }
        expect(complaints).toStrictEqual([])
      },
    )

    it('draws every name, unit and value as text, however long or strange', async () => {
      const symbol = '\u202E°C<b>'.repeat(50)
      await applyAll(
        server.context,
        houseModel({
          flow: { name: HOSTILE, symbol },
          return: { name: 'W'.repeat(LONGEST), symbol: 'U'.repeat(LONGEST) },
          lock: { name: `${HOSTILE} ${'lock '.repeat(500)}` },
          mode: {
            options: [
              { key: 'auto', label: 'L'.repeat(LONGEST) },
              { key: 'water', label: HOSTILE },
            ],
          },
          note: { name: HOSTILE },
          target: { name: 'T'.repeat(LONGEST), symbol },
        }),
      )
      const texts = [HOSTILE, 'x'.repeat(LONGEST), '\u0007\u200B\uFEFF', '{{7*7}}', "'; drop table records; --"]
      await house.send(texts.map((text, index) => house.point('note', text, house.now - index * MINUTE)))
      const path = `${house.path('flow', 'return', 'lock', 'mode', 'target', 'note')}&states=below`
      const { page, complaints } = await opened('/systems')
      await page.goto(server.url + path)
      await page.locator('.axis .tick').first().waitFor()
      await expectNoFindingInAnyLook(page, 0)
      await page.keyboard.press('s')
      await page.getByRole('dialog').waitFor()
      await expectNoFinding(page)
      await page.goto(`${server.url}${path}&view=table&window=1h`)
      await page.locator('table.values').waitFor()
      await expectNoFindingInAnyLook(page, 1)
      expect(await page.locator('img, script:not([src])').count()).toBe(0)
      expect(await page.getByText('{{7*7}}').count()).toBe(1)
      expect(complaints).toStrictEqual([])
    })
  },
)

const HOSTILE = `"><img src=x onerror=alert(1)> \u202Egnorts\u202C &amp; ثم نفس 𝒯𝑒𝓍𝓉 田中 ﷽`
