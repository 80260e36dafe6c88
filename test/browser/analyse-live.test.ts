import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEvent } from '../../src/platform/systems/events.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { fillHouse, houseModel, makeHouse, type House } from '../support/analyse-house.ts'
import { OPERATOR, signedInAt, startConsoleServer } from '../support/console-server.ts'
import { applyAll } from '../support/domain.ts'
import type { LoginServer } from '../support/login-server.ts'
import { launchChromium, NO_CHROMIUM } from './chromium.ts'

const drawn = (page: Page, window: string) =>
  page.waitForFunction(
    (name) => document.getElementById('picture')?.dataset['isDrawn']?.includes(`window=${name}`),
    window,
  )

describe.skipIf(NO_CHROMIUM)('a chart that stays open (needs Chromium)', () => {
  let browser: Browser
  let server: LoginServer
  let house: House
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([launchChromium(), startConsoleServer()])
    house = await makeHouse(server.context)
    await fillHouse(server.context, house)
  }, 120_000)
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  async function opened(window: string): Promise<Page> {
    const { page } = await signedInAt(browser, server, '/systems', OPERATOR)
    await page.clock.install()
    await page.goto(`${server.url}${house.path('power')}&window=${window}`)
    await page.locator('.legend').first().waitFor()
    return page
  }

  it('shows an event that is told, and keeps the crosshair', async () => {
    const page = await opened('1h')
    await page.locator('#picture').focus()
    await page.keyboard.press('ArrowLeft')
    const before = await page.locator('.flag').textContent()
    const eventModel = { code: 'told-late', eventType: 'SINGLE_POINT', entityType: 'SYSTEM' }
    await applyAll(server.context, { ...houseModel({ flow: { boundaryMax: 55 } }), eventModels: [eventModel] })
    await createEvent(server.context, EVERYWHERE, { system: house.systemUuid, eventModel: 'told-late' })
    await page.locator('.event', { hasText: 'told-late' }).waitFor()
    expect(await page.locator('.flag').textContent()).toBe(before)
  })

  it('moves on in the new window where a longer one was shown before', async () => {
    const page = await opened('1y')
    await page.getByRole('link', { name: '15 min' }).click()
    await drawn(page, '15m')
    const places = () =>
      page.locator('.axis .tick').evaluateAll((ticks) => ticks.map((one) => (one as HTMLElement).style.left))
    const before = await places()
    await page.clock.runFor(10_000)
    expect(await places()).not.toStrictEqual(before)
  })
})
