import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { updateRecord } from '../../src/platform/records/change-record.ts'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import type { Apply } from '../../src/platform/imports/history/applies.ts'
import { OPERATOR, signedInAt, startConsoleServer } from '../support/console-server.ts'
import { acknowledging, plan } from '../support/domain.ts'
import { setGrants } from '../support/grants.ts'
import { ANN, BOB, type LoginServer } from '../support/login-server.ts'
import { expectNoFindingInAnyLook, launchChromium, NO_CHROMIUM } from './chromium.ts'

/** Markup, a line break, text that runs the other way, and more than fits. */
const HOSTILE = `<script>alert(1)</script>"'&\u202e\u0000`.replace('\u0000', '') + 'x'.repeat(10_000)

const MANY = 3_000

function characteristic(code: string, fields: object = {}): object {
  return {
    code,
    name: `Name of ${code}`,
    characteristicType: 'MEASUREMENT',
    dataType: 'FLOAT',
    symbol: 'kW',
    ...fields,
  }
}

function model(change: object, symbol: string): object {
  const many = Array.from({ length: MANY }, (_, number) =>
    characteristic(`many-${String(number).padStart(5, '0')}`, { symbol }),
  )
  return {
    characteristics: [characteristic('power', change), characteristic('hostile', { name: HOSTILE }), ...many],
    services: [{ code: 'metering', name: 'Metering', description: 'Counts', characteristics: [{ code: 'power' }] }],
    componentModels: [
      { code: 'meter', name: 'Meter', componentType: 'DEVICE', services: [{ code: 'metering', index: 0 }] },
    ],
  }
}

const ORIGIN = {
  repository: 'acme/models',
  commit: '0123456789abcdef0123456789abcdef01234567',
  ref: 'refs/pull/213/merge',
}

async function applyFrom({ context }: LoginServer, document: object): Promise<Apply> {
  const made = await plan(context, document)
  const source = { file: 'models/heating.yaml', line: 8, column: 5 }
  const reviewed = { ...made, changes: made.changes.map((change) => ({ ...change, source })) }
  return applyImport(context, { document, settings: acknowledging(made), plan: reviewed, origin: ORIGIN })
}

describe.skipIf(NO_CHROMIUM)('the model and its applies in a browser (needs Chromium)', () => {
  let browser: Browser
  let server: LoginServer
  let apply: Apply
  let page: Page
  let complaints: readonly string[]
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([launchChromium(), startConsoleServer()])
    await applyFrom(server, model({ boundaryMax: 55 }, 'kW'))
    apply = await applyFrom(server, model({ boundaryMax: 70 }, 'W'))
    ;({ page, complaints } = await signedInAt(browser, server, '/model', OPERATOR))
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  const open = (path: string) => page.goto(server.url + path)
  const content = () => page.locator('main').innerText()

  it('a list has columns by its type, counts beside it, and the line in Git', async () => {
    await open('/model/characteristics?search=power')
    const row = page.getByRole('row').filter({ hasText: 'Name of power' })
    expect(await row.innerText()).toMatch(/power[\s\S]*FLOAT[\s\S]*kW[\s\S]*70[\s\S]*metering[\s\S]*heating\.yaml:8/)
    expect(await page.getByRole('link', { name: 'characteristics 3,002' }).count()).toBe(1)
    expect(await row.getByRole('link', { name: 'heating.yaml:8' }).getAttribute('href')).toBe(
      `https://github.com/acme/models/blob/${ORIGIN.commit}/models/heating.yaml#L8`,
    )
  })

  it('a record shows what it is part of, each of its changes, and YAML to paste', async () => {
    await open('/model/characteristics/power')
    const path = page.locator('.path')
    expect(await path.getByRole('link').allInnerTexts()).toStrictEqual(['power', 'metering', 'meter'])
    const history = page.locator('.history')
    expect(await history.getByRole('row').allInnerTexts()).toHaveLength(2)
    expect(await history.getByRole('row').first().innerText()).toMatch(/boundaryMax\s*55\s*→\s*70[\s\S]*0123456 · #213/)
    expect(await page.locator('#yaml').innerText()).toContain('characteristics:\n  - code: power\n')
    expect(await content()).toContain('as in Git')
  })

  it('an apply folds what changes alike, and is searched to its last change', async () => {
    await open(`/applies/${apply.uuid}`)
    expect(await page.getByRole('row').filter({ hasText: '3,000 characteristics change alike' }).count()).toBe(1)
    expect(await content()).toMatch(/pull request #213/)
    await page.getByRole('searchbox', { name: 'Search 3,001 changes' }).fill('many-02999')
    await page.keyboard.press('Enter')
    await page.waitForURL(/search=many-02999/)
    expect(await page.getByRole('row').filter({ hasText: 'many-02999' }).innerText()).toMatch(/symbol\s*kW\s*→\s*W/)
    expect(await content()).toContain('1 – 1 of 1')
    await open(`/applies/${apply.uuid}?action=update`)
    await page.getByRole('link', { name: 'Next' }).click()
    // A click waits until the next page begins, and no longer.
    await page.waitForLoadState()
    expect(await content()).toContain('51 – 100 of 3,001')
    const whole = await page.request.get(`${server.url}/applies/${apply.uuid}`)
    expect((await whole.body()).length).toBeLessThan(200_000)
  })

  it('a document is planned, and nothing is applied', async () => {
    await open('/plans/new')
    await page.getByLabel('Or its text').fill('services:\n  - code: metering\n    name: Metering\n    description: 7\n')
    await page.getByRole('button', { name: 'Plan' }).click()
    expect(await page.getByRole('alert').innerText()).toMatch(/1 error; nothing was planned[\s\S]*4:/)
    expect(await page.getByLabel('Or its text').inputValue()).toContain('description: 7')
    await page.getByLabel('Or its text').fill('services: []\n')
    await page.getByRole('button', { name: 'Plan' }).click()
    await page.waitForURL(/\/plans\/[0-9a-f-]{36}$/)
    expect(await page.title()).toMatch(/^Blocked: \d guards? needs? an acknowledgement/)
    expect(await page.locator('#acknowledge').innerText()).toMatch(
      /^acknowledge:\n {2}- \{ code: empties-type, type: services/,
    )
    expect(await page.getByRole('link', { name: 'services/metering', exact: true }).count()).toBe(1)
    await setGrants(server.context, [{ role: 'administrator', user: ANN.email }])
    const { page: stranger } = await signedInAt(browser, server, '/', ANN)
    expect((await stranger.goto(page.url()))?.status()).toBe(404)
    await open('/model/services')
    expect(await page.getByRole('link', { name: 'metering' }).count()).toBe(1)
  })

  it('a roll-back is looked at', async () => {
    await open(`/applies/${apply.uuid}`)
    await page.getByRole('button', { name: 'Look at the roll-back plan' }).click()
    await page.waitForURL(/\/plans\//)
    expect(await page.getByRole('row').filter({ hasText: '3,000 characteristics change alike' }).innerText()).toMatch(
      /W\s*→\s*kW/,
    )
  })

  it('drift says what was changed and by whom, and marks the record', async () => {
    await updateRecord({ ...server.context, actorName: 'grace' }, 'characteristics', 'power', { precision: 3 }, [])
    await open('/drift')
    expect(await page.title()).toContain('1 record differs from Git')
    expect(await page.getByRole('row').filter({ hasText: 'power' }).innerText()).toMatch(
      /precision[\s\S]*3[\s\S]*by grace/,
    )
    await open('/model/characteristics/power')
    expect(await content()).toContain('changed by grace')
  })

  it('no page has a finding of axe or is too wide, light and dark, wide and on a phone', async () => {
    const pages = [
      '/model',
      '/model/characteristics/hostile',
      '/applies',
      `/applies/${apply.uuid}`,
      '/plans/new',
      '/drift',
    ]
    for (const [turn, path] of pages.entries()) {
      await open(path)
      await expectNoFindingInAnyLook(page, turn)
    }
    expect(complaints).toStrictEqual([])
  })

  it('the browser has complained about nothing', () => {
    expect(complaints).toStrictEqual([])
  })

  it('whoever has no role sees none of it', async () => {
    const { page: visitor } = await signedInAt(browser, server, '/drift', ANN)
    await setGrants(server.context, [{ role: 'administrator', user: BOB.email }])
    for (const path of ['/model', `/applies/${apply.uuid}`, '/drift', '/plans/new']) {
      const answer = await visitor.goto(server.url + path)
      expect([path, answer?.status()]).toStrictEqual([path, 403])
    }
  })
})
