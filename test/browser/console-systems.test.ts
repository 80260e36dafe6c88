import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { createComponents } from '../../src/platform/systems/components.ts'
import { createEvent } from '../../src/platform/systems/events.ts'
import { createSystem } from '../../src/platform/systems/systems.ts'
import { houseModel } from '../support/analyse-house.ts'
import { OPERATOR, signedInAt, startConsoleServer } from '../support/console-server.ts'
import { applyAll } from '../support/domain.ts'
import { setGrants } from '../support/grants.ts'
import { ANN, type LoginServer } from '../support/login-server.ts'
import { NAUGHTY_LINE, NAUGHTY_STRINGS } from '../support/naughty-strings.ts'
import { expectNoFindingInAnyLook, launchChromium, NO_CHROMIUM } from './chromium.ts'

const NAME = '<img src=x onerror=alert(1)> \u202Eesuoh'

/** Comes first in a list by name, and has no place at which it could be broken. */
const WIDE = `!${'W'.repeat(400)}`

const EVENT_MODEL = {
  code: 'window-open',
  message: 'A window is open while the heating is on',
  eventType: 'RANGED',
  entityType: 'SYSTEM',
  eventLevel: 'WARNING',
}

describe.skipIf(NO_CHROMIUM)('systems in the console (needs Chromium)', () => {
  let browser: Browser
  let server: LoginServer
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([launchChromium(), startConsoleServer()])
    await applyAll(server.context, { ...houseModel(), eventModels: [EVENT_MODEL] })
    await createSystem(server.context, EVERYWHERE, { name: NAME })
    const metadataKeyValueStore = [{ key: 'note', value: NAUGHTY_STRINGS.join('\n') }]
    const { uuid: system } = await createSystem(server.context, EVERYWHERE, { name: WIDE, metadataKeyValueStore })
    const part = { system, componentModel: 'pump', name: NAUGHTY_LINE, metadataKeyValueStore }
    await createComponents(server.context, EVERYWHERE, [part])
    await createEvent(server.context, EVERYWHERE, { eventModel: 'window-open', system, message: WIDE })
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  it('deletes a component and its system after a look at what that costs, and lists who did it', async () => {
    const { uuid } = await createSystem(server.context, EVERYWHERE, { name: 'Old house' })
    await createComponents(server.context, EVERYWHERE, [
      { system: uuid, componentModel: 'pump', name: 'Pump' },
      { system: uuid, componentModel: 'pump', name: 'Spare' },
    ])
    const { page, complaints } = await signedInAt(browser, server, `/systems/${uuid}`, OPERATOR)
    const click = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const pump = page.getByRole('row', { name: /Pump/ })
    await pump.getByRole('button', { name: 'Archive…' }).click()
    await click('Archive the component')
    await pump.getByRole('button', { name: 'Delete…' }).click()
    await page.getByText('This deletes 1 component for ever').waitFor()
    await click('Delete the component')
    await page.getByRole('row', { name: /Spare/ }).waitFor()
    expect(await pump.count()).toBe(0)

    const ofSystem = page.locator('header, .actions').getByRole('button', { name: 'Archive…' })
    await ofSystem.first().click()
    await click('Archive the system')
    await page.locator('header, .actions').getByRole('button', { name: 'Delete…' }).first().click()
    await page.getByText('This deletes 1 system, 1 component for ever').waitFor()
    await click('Delete the system')
    await page.waitForURL(/\/systems$/)
    await page.goto(`${server.url}/deletions`)
    await page.getByRole('row', { name: /system Old house.*operator/ }).waitFor()
    await page.getByRole('row', { name: /component Pump.*operator/ }).waitFor()
    expect(complaints).toStrictEqual([])
  })

  it('makes a system, gives it a component, a setpoint, an event and a credential, and says on Home what waits', async () => {
    const { page, complaints } = await signedInAt(browser, server, '/systems/new', OPERATOR)
    await page.getByLabel('Name').fill(NAME)
    await page.getByRole('button', { name: 'Create system' }).click()
    await page.waitForURL(/systems\/[0-9a-f-]{36}$/)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(NAME)
    await page.getByLabel('Name').fill('Heat pump')
    await page.getByRole('button', { name: 'Add component' }).click()
    await page.getByRole('cell', { name: 'Heat pump' }).waitFor()

    await page.getByRole('link', { name: 'Setpoints' }).click()
    await page.getByRole('link', { name: /^Set a value/ }).click()
    await page.getByLabel('Setting').selectOption({ label: 'Heat pump: Target' })
    await page.getByRole('button', { name: 'Choose' }).click()
    await page.getByLabel('New value in °C').fill('42.5')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await page.getByRole('row', { name: /Target\s+Heat pump 42\.5 °C pending/ }).waitFor()

    await page.getByRole('link', { name: 'Events', exact: true }).click()
    await page.getByRole('button', { name: 'Record event' }).click()
    await page.getByRole('cell', { name: 'open', exact: true }).waitFor()

    await page.getByRole('link', { name: 'Credentials' }).click()
    await page.getByRole('button', { name: 'New credential' }).click()
    expect(await page.locator('#secret').innerText()).toMatch(/^[\w-]{43}$/)
    await page.goto(`${server.url}${new URL(page.url()).pathname}`)
    await page.getByRole('button', { name: 'Revoke…' }).click()
    await page.getByRole('button', { name: 'Revoke the credential' }).click()
    await page.getByText('No device of this system can sign in yet.').waitFor()

    await page.goto(`${server.url}/`)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('3 things need attention')
    const rows = await page.locator('section').first().locator('tbody tr').allInnerTexts()
    expect(rows[0]).toContain('A window is open while the heating is on')
    // The other one has no place at which it could be broken, and nothing is wider than the page.
    expect(rows[1]).toContain('WWW…')
    expect(rows[2]).toContain('42.5')
    await page.locator('tbody').first().getByRole('link').first().click()
    await page.getByRole('button', { name: 'End', exact: true }).click()
    await page.getByText('0 open').waitFor()
    expect(complaints).toStrictEqual([])
  })

  it('offers somebody who may only look nothing to change, and refuses a form that was made by hand', async () => {
    await setGrants(server.context, [{ role: 'viewer', user: ANN.email }])
    const { page } = await signedInAt(browser, server, '/systems', ANN)
    expect(await page.getByRole('link', { name: 'New system' }).count()).toBe(0)
    const csrf = await page.locator('input[name=csrf]').first().inputValue()
    const answer = await page.request.post(`${server.url}/systems/new`, { form: { csrf, name: 'Taken' } })
    expect(answer.status()).toBe(403)
    expect(await answer.text()).toContain('needs the role editor')
  })

  it('has no page that axe finds fault with, light and dark, wide and on a phone', async () => {
    const { page, complaints } = await signedInAt(browser, server, '/systems', OPERATOR)
    const system = await page.locator('tbody a').first().getAttribute('href')
    const parts = ['', '/setpoints', '/events', '/refused', '/credentials', '/metadata'].map(
      (part) => `${system}${part}`,
    )
    const others = ['/', '/systems/new', '/organizations', '/users', '/machine-users', `/users/${ANN.email}`]
    const found = ['/search?q=W', '/search', '/keys', '/users/new', `/users/${ANN.email}/metadata`]
    const access = ['/application-consumers', '/application-consumers/trusted', '/auth-methods', '/auth-methods/new']
    const paths = [...parts, ...others, ...found, ...access, '/console/components', '/systems/none']
    for (const [turn, path] of paths.entries()) {
      await page.goto(server.url + path)
      await expectNoFindingInAnyLook(page, turn)
    }
    expect(complaints).toStrictEqual([])
  })
})
