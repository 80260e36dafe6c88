import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  DAY,
  type Drawn,
  type DrawnSeries,
  fillHouse,
  flowOf,
  type House,
  type HouseCode,
  makeHouse,
  MINUTE,
} from '../support/analyse-house.ts'
import { OPERATOR, signedInAt, startConsoleServer } from '../support/console-server.ts'
import { countingDatabase, type CountingDatabase } from '../support/counting-database.ts'
import { ANY_DATABASE } from '../support/databases.ts'
import { setGrants } from '../support/grants.ts'
import { ANN, BOB, type LoginServer } from '../support/login-server.ts'
import { runsOf } from '../support/runs.ts'
import { createComponents } from '../../src/platform/systems/components.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { createSystem } from '../../src/platform/systems/systems.ts'
import { launchChromium, newVisitor, NO_CHROMIUM } from './chromium.ts'

const run = promisify(execFile)

function extremes(of: readonly number[]): readonly number[] {
  return [Math.min(...of), Math.max(...of)]
}

describe.skipIf(NO_CHROMIUM)('Analyse in a browser (needs Chromium)', () => {
  let browser: Browser
  let server: LoginServer
  let database: CountingDatabase
  let house: House

  async function openMigrated(): Promise<CountingDatabase> {
    database = countingDatabase(await ANY_DATABASE.openMigrated())
    return database
  }

  beforeAll(async () => {
    ;[browser, server] = await Promise.all([
      launchChromium(),
      startConsoleServer({ database: { ...ANY_DATABASE, openMigrated } }),
    ])
    house = await makeHouse(server.context)
    await fillHouse(server.context, house)
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  function dataOf(page: Page, ...rest: readonly string[]): Promise<Drawn> {
    return dataOfSome(page, ['flow', 'lock', 'mode', 'target'], rest)
  }

  async function dataOfSome(page: Page, codes: readonly HouseCode[], rest: readonly string[]): Promise<Drawn> {
    const [path, query] = house.path(...codes).split('?')
    const answer = await page.request.get(`${server.url}${path}/data?${[query, 'states=below', ...rest].join('&')}`)
    expect(answer.status()).toBe(200)
    return (await answer.json()) as Drawn
  }

  function seriesOf({ series }: Drawn, code: Parameters<House['show']>[0]): DrawnSeries {
    const found = series.find(({ id }) => id === house.show(code))
    if (found === undefined) throw new Error(`${code} is not drawn`)
    return found
  }

  const opened = (path: string, options?: Parameters<typeof signedInAt>[4]) =>
    signedInAt(browser, server, path, OPERATOR, options)

  // Nobody follows anything yet, so no statements but those of the answers are counted.
  it('needs few bytes and few statements, however much there is', async () => {
    const { page } = await opened('/systems')
    const [path, query] = house.path('flow', 'return', 'power').split('?')
    const count = async (address: string) => {
      const before = database.statements.length
      const answer = await page.request.get(server.url + address, { headers: { 'accept-encoding': 'identity' } })
      const { length } = await answer.body()
      return { statements: database.statements.length - before, isSmall: length < 60_000 }
    }
    const one = house.path('flow').split('?')[1]
    await count(`${path}?${query}`)
    const [all, [page1, page3]] = [
      await count(`${path}/data?${query}&window=7d`),
      [await count(`${path}?${one}`), await count(`${path}?${query}`)],
    ]
    expect(all).toStrictEqual({ statements: 78, isSmall: true })
    expect([page1, page3]).toStrictEqual([
      { statements: 34, isSmall: true },
      { statements: 34, isSmall: true },
    ])
  })

  it('is reached by choosing a system, and shows the last 24 hours of what is chosen, as the specification has it', async () => {
    const { page, complaints } = await opened('/systems')
    await page.getByRole('link', { name: 'Site' }).click()
    await page.getByRole('link', { name: 'Analyse' }).click()
    await page.getByLabel('Flow temperature').check()
    await page.getByRole('row', { name: /^Flow temperature/ }).waitFor()
    expect(await page.locator('.legend thead').innerText()).toMatch(/°C · 1 min: minimum, mean, maximum/)
    await page.getByLabel('Locked').check()
    await page.getByRole('link', { name: 'Show states below the lines' }).click()
    await page.getByRole('region', { name: 'States' }).waitFor()
    expect(await page.getByRole('region', { name: 'States' }).innerText()).toMatch(/Locked.*raw\s+true/)
    expect(new URL(page.url()).searchParams.getAll('show')).toStrictEqual([house.show('flow'), house.show('lock')])
    expect(complaints).toStrictEqual([])
  })

  it('goes back to what was seen before, and an address shows the same to somebody else', async () => {
    const { page } = await opened(house.path('flow'))
    await page.locator('.legend').waitFor()
    await page.getByLabel('Return temperature').check()
    await page.getByRole('row', { name: /^Return temperature/ }).waitFor()
    const search = page.getByRole('searchbox', { name: /^Search \d/ })
    await search.fill('heating never')
    await page.getByLabel('Thermal power').waitFor({ state: 'hidden' })
    const { page: other } = await opened(new URL(page.url()).pathname + new URL(page.url()).search)
    await other.getByRole('row', { name: /^Return temperature/ }).waitFor()
    await other.getByLabel('Never sent').waitFor()
    expect(await other.getByLabel('Thermal power').isVisible()).toBe(false)
    await other.getByRole('searchbox', { name: /^Search \d/ }).fill('')
    await other.getByLabel('Thermal power').waitFor()
    await page.goBack()
    await page.getByRole('row', { name: /^Return temperature/ }).waitFor({ state: 'detached' })
    expect(await page.getByLabel('Return temperature').isChecked()).toBe(false)
  })

  it('draws the stored minimum and maximum in any window', async () => {
    const { page } = await opened('/systems')
    const flow = flowOf(house)
    for (let index = 0; index < runsOf('WINDOWS', { sample: 15, long: 1_000 }); index++) {
      const length = Math.round(MINUTE * 10 ** (Math.random() * 3.4))
      const from = house.now - 2 * DAY + Math.round(Math.random() * (2 * DAY - length))
      const own = flow.filter(({ at }) => at >= from && at < from + length).map(({ value }) => value)
      const range = [from, from + length].map((at) => new Date(at).toISOString())
      const { min, max, values, whole } = seriesOf(
        await dataOfSome(page, ['flow'], [`from=${range[0]}&to=${range[1]}`]),
        'flow',
      )
      const drawn = [...(min ?? []), ...(max ?? []), ...(values ?? [])]
      expect({ range, drawn: extremes(drawn) }).toStrictEqual({ range, drawn: extremes(own) })
      expect(whole?.count ?? 0).toBe(own.length)
    }
  })

  it('says raw or the length of its buckets, leaves gaps, and begins states and settings at the left edge', async () => {
    const { page } = await opened('/systems')
    const until = `to=${new Date(house.now).toISOString()}`
    const day = await dataOf(page, 'window=24h', until)
    const flow = seriesOf(day, 'flow')
    const length = flow.gaps.map(([from, to]) => Math.round((to - from) / MINUTE))
    expect({ caption: flow.caption, length }).toStrictEqual({ caption: '1 min: minimum, mean, maximum', length: [60] })
    expect(seriesOf(day, 'lock').runs.map(([from, , value]) => [from, value])).toStrictEqual([[0, true]])
    expect(seriesOf(day, 'mode').runs.map(([, , value]) => value)).toStrictEqual(['auto', 'water'])
    expect(seriesOf(day, 'target')).toMatchObject({ caption: 'raw', at: [0], values: [42], gaps: [] })
    const hour = seriesOf(await dataOf(page, 'window=1h', until), 'flow')
    expect({ caption: hour.caption, gaps: hour.gaps }).toStrictEqual({ caption: 'raw', gaps: [] })
  })

  it('marks setpoints, what was refused, and the applies that touched a characteristic with its boundaries of then', async () => {
    const { page } = await opened(house.path('flow', 'target'))
    const day = await dataOf(page)
    expect(seriesOf(day, 'target').setpoints).toMatchObject([{ state: 'PENDING', value: 48 }])
    expect(seriesOf(day, 'flow').refused).toMatchObject([{ code: 'out-of-bounds', count: 1 }])
    expect(day.applies.map(({ label }) => label)).toContain('a3f9c21')
    const highest = seriesOf(day, 'flow').bounds.filter(({ name }) => name === 'boundaryMax')
    expect(highest.map(({ value }) => value)).toStrictEqual([110, 55])
    const rows = await page.locator('#in-window tbody tr').allInnerTexts()
    const texts = rows.map((row) => row.replaceAll(/\s+/g, ' '))
    expect(texts).toContainEqual(expect.stringMatching(/Apply a3f9c21 boundaryMax 110 → 55 Flow temperature/))
    expect(texts).toContainEqual(expect.stringMatching(/1 datapoint refused: out-of-bounds Flow temperature/))
    expect(texts).toContainEqual(expect.stringMatching(/Setpoint 48.0 °C pending Target/))
  })

  it('has a crosshair by keys, which says the exact values', async () => {
    const { page, complaints } = await opened(`${house.path('return')}&window=6h`)
    await page.locator('.legend').waitFor()
    await page.locator('#picture').focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Shift+ArrowLeft')
    const said = page.locator('#analyse > [role=status]')
    expect(await said.innerText()).toMatch(/^\d\d:\d\d: Return temperature 34.9 °C$/)
    expect(await page.locator('.legend td.at strong').innerText()).toBe('34.9')
    // Its line goes down to the time axis, where its time stands.
    const [flag, axis] = [await page.locator('.flag').boundingBox(), await page.locator('.axis').boundingBox()]
    expect(Math.abs((flag?.y ?? 0) - (axis?.y ?? 0))).toBeLessThan(2)
    await page.keyboard.press('t')
    await page.waitForURL(/view=table/)
    await page.locator('table.values tbody tr').first().waitFor()
    expect(await page.locator('table.values tbody tr').count()).toBe(60)
    expect(complaints).toStrictEqual([])
  })

  it('adds what arrives over one subscription, and only that', async () => {
    const { page } = await opened('/systems')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''))
    const stream = page.waitForResponse((answer) => answer.url().includes('/analyse/live'))
    await page.goto(`${server.url}${house.path('power', 'return')}&window=1h`)
    await page.locator('.legend').first().waitFor()
    await stream
    await house.send([house.point('power', 12_345, Date.now()), house.point('return', 77.7, Date.now())])
    await page.getByRole('row', { name: /77\.7/ }).waitFor()
    await page.getByRole('row', { name: /12,345/ }).waitFor()
    expect(asked.filter((path) => path === 'live' || path === 'data')).toStrictEqual(['data', 'live'])
  })

  it('shows what is stored while its stream is not open yet, and goes on after an answer that no browser asks again for', async () => {
    const { page } = await opened('/systems')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''))
    await page.route('**/analyse/live?*', async (route) => {
      const isFirst = asked.filter((path) => path === 'live').length === 1
      await house.send([house.point('power', isFirst ? 70_001 : 70_002, Date.now())])
      await (isFirst ? route.fulfill({ status: 502 }) : route.continue())
    })
    await page.goto(`${server.url}${house.path('power')}&window=1h`)
    await page.getByRole('row', { name: /70,002/ }).waitFor()
    expect(asked.filter((path) => path === 'live' || path === 'data')).toStrictEqual(['data', 'live', 'data', 'live'])
  })

  it('works without scripts: choosing, windows, values as a table, and everything beside them', async () => {
    const { page } = await opened(house.path('return').split('?')[0] ?? '', { javaScriptEnabled: false })
    await page.getByLabel('Return temperature').check()
    await page.getByLabel('Note').check()
    await page.getByRole('button', { name: 'Show', exact: true }).first().click()
    await page.getByRole('link', { name: 'Show the values as a table' }).click()
    await page.getByRole('link', { name: '6 h' }).click()
    await page.waitForURL(/window=6h/)
    expect(await page.locator('table.values tbody tr').count()).toBeGreaterThanOrEqual(60)
    expect(await page.getByRole('cell', { name: '<b>not bold</b>' }).count()).toBe(1)
    expect(await page.getByRole('heading', { name: 'In this window' }).count()).toBe(1)
  })

  it('hands out what is seen as CSV', async () => {
    const { page } = await opened('/systems')
    const [path, query] = house.path('return', 'lock', 'note').split('?')
    const answer = await page.request.get(`${server.url}${path}/csv?${query}&window=6h`)
    const lines = (await answer.text()).split('\r\n')
    expect(lines[0]).toBe('timestamp,component,service,characteristic,name,unit,figures,value,minimum,mean,maximum')
    expect(lines[1]).toMatch(/^20\S+Z,Heat pump 0,heating,return,Return temperature,°C,raw,30,,,$/)
    expect(lines).toContainEqual(expect.stringMatching(/,lock,Locked,"",raw,true,,,$/))
    expect(lines).toContainEqual(expect.stringMatching(/,note,Note,"",raw,<b>not bold<\/b>,,,$/))
  })

  it('says what is wrong with an address', async () => {
    const { page } = await opened(`${house.path('flow')}&window=2w`)
    expect(await page.locator('main').innerText()).toMatch(/There is no window "2w"; there are 15m, 1h/)
    await page.goto(`${server.url}${house.path('flow')}&show=gone%2Fnone%2Fnothing`)
    expect(await page.locator('#notices').innerText()).toBe(
      'One chosen characteristic is not of this system, or not any more.',
    )
  })

  it('has a command for the first datapoint, which works when it is pasted, and then the page shows it', async () => {
    const { context } = server
    const { uuid } = await createSystem(context, EVERYWHERE, { name: 'New house' })
    await createComponents(context, EVERYWHERE, [{ system: uuid, componentModel: 'pump', name: `It's "new" <b>` }])
    const { page, complaints } = await opened(`/systems/${uuid}/analyse`)
    const stream = page.waitForResponse((answer) => answer.url().includes('/analyse/live'))
    await page.getByRole('button', { name: 'Insert one that expires after ten minutes' }).click()
    await stream
    const command = await page.locator('#first-datapoint').innerText()
    await run('bash', ['-c', command])
    await page.waitForURL(/show=/)
    await page.locator('.legend').waitFor()
    expect(complaints).toStrictEqual([])
  })

  it('shows nothing to somebody without the right', async () => {
    await setGrants(server.context, [{ user: BOB.email, role: 'viewer' }])
    const { page } = await signedInAt(browser, server, house.path('flow'), ANN)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('You may not see this')
    const [path, query] = house.path('flow').split('?')
    for (const route of ['data', 'csv', 'live'])
      expect((await page.request.get(`${server.url}${path}/${route}?${query}`)).status()).toBe(403)
    const { page: nobody } = await newVisitor(browser)
    expect((await nobody.request.get(`${server.url}${path}/data?${query}`)).status()).toBe(401)
  })
})
