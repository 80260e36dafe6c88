import { execFileSync } from 'node:child_process'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { newVisitor } from '../browser/chromium.ts'

// The way of somebody who has started the demo and has read nothing but what it printed, from signing in to a value that
// their own device has taken over. Commands are run as pages show them.

export interface PrintedDemo {
  readonly url: string
  readonly password: string
  /** Of the application consumer that a first start makes. */
  readonly client: { readonly client_id: string; readonly client_secret: string }
}

const THERMOSTAT = 'My thermostat'

/** Gives what the console of the browser complained about. */
export async function takeNewUsersWay(browser: Browser, demo: PrintedDemo): Promise<readonly string[]> {
  const { page, complaints } = await newVisitor(browser)
  await signIn(page, demo)
  const system = await makeSystem(page)
  await sendFirstDatapoint(page)
  await seeIt(page)
  const component = await setOnTheChart(page)
  const token = await signInAsDevice(page, system, demo)
  await page.goto(`${system}/analyse?${showing(component, 'room-temperature', 'room-setpoint')}`)
  await page.getByRole('row', { name: /^Room temperature/ }).waitFor()
  await applyAsDevice(page, demo.url, token, component)
  return complaints
}

async function signIn(page: Page, { url, password }: PrintedDemo): Promise<void> {
  await page.goto(url)
  await page.getByLabel('E-mail address or user name').fill('operator')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${url}/`)
}

/** Gives the address of its page. */
async function makeSystem(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Systems', exact: true }).click()
  await page.getByRole('link', { name: 'New system' }).click()
  await page.getByLabel('Name').fill('My flat')
  await page.getByRole('button', { name: 'Create system' }).click()
  await page.waitForURL(/systems\/[0-9a-f-]{36}$/)
  await page.getByLabel('Component model').selectOption('room-thermostat')
  await page.getByLabel('Name').fill(THERMOSTAT)
  await page.getByRole('button', { name: 'Add component' }).click()
  await page.getByRole('cell', { name: THERMOSTAT }).waitFor()
  return page.url()
}

async function sendFirstDatapoint(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Analyse' }).click()
  await page.getByRole('heading', { name: 'Nothing has arrived yet' }).waitFor()
  await page.getByText('Choose another one').click()
  await page.getByRole('link', { name: 'Room temperature' }).click()
  await page.getByRole('button', { name: 'Insert one that expires after ten minutes' }).click()
  await page.getByText('The token in it is yours').waitFor()
  execFileSync('sh', ['-c', await page.locator('#first-datapoint').innerText()], { stdio: 'pipe' })
  await page.waitForURL(/show=/)
}

/** The chart is drawn, and the latest value stands in the list. */
async function seeIt(page: Page): Promise<void> {
  await page.getByRole('row', { name: /^Room temperature/ }).waitFor()
  const colours = await page.locator('.plot canvas').first().evaluate(countColours)
  expect(colours).toBeGreaterThan(1)
  const listed = page.locator('#chooser li', { hasText: 'Room temperature' })
  expect(await listed.locator('.value').innerText()).toMatch(/^.10\.0 °C$/)
}

function countColours(canvas: HTMLElement): number {
  if (!(canvas instanceof HTMLCanvasElement)) return 0
  const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {}
  return new Set(new Uint32Array(data?.buffer ?? new ArrayBuffer())).size
}

/** Gives the uuid of the thermostat. */
async function setOnTheChart(page: Page): Promise<string> {
  await page.keyboard.press('s')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Setting').selectOption({ label: `${THERMOSTAT}: Room setpoint` })
  const own = page.getByRole('dialog', { name: 'Set Room setpoint' })
  await own.getByLabel('New value in °C').fill('21.5')
  await own.getByRole('button', { name: 'Set 21.5 °C' }).click()
  await own.waitFor({ state: 'hidden' })
  await setpointLine(page, /pending/).waitFor()
  return new URL(page.url()).searchParams.get('show')?.split('/')[0] ?? ''
}

const setpointLine = (page: Page, state: RegExp) =>
  page.locator('#in-window tr', { hasText: 'Setpoint 21.5 °C' }).filter({ hasText: state })

/** As the page says that a device signs in. */
async function signInAsDevice(page: Page, system: string, { client }: PrintedDemo): Promise<string> {
  await page.goto(`${system}/credentials`)
  await page.getByRole('button', { name: 'New credential' }).click()
  const command = (await page.locator('#sign-in').innerText()).replace(
    'CLIENT_ID:CLIENT_SECRET',
    `${client.client_id}:${client.client_secret}`,
  )
  const input = `${await page.locator('#secret').innerText()}\n`
  const answer = execFileSync('bash', ['-c', command], { input, stdio: 'pipe' })
  return (JSON.parse(answer.toString()) as { access_token: string }).access_token
}

function showing(component: string, ...characteristics: readonly string[]): string {
  return new URLSearchParams(characteristics.map((one) => ['show', `${component}/room-control/${one}`])).toString()
}

async function applyAsDevice(page: Page, url: string, token: string, component: string): Promise<void> {
  const said = page.locator('#analyse > [role=status]')
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const pending = `${url}/rest/v1/set-points/pending?component_uuid=${component}`
  const [taken] = (await (await fetch(pending, { headers })).json()) as { uuid: string; value: number }[]
  expect(taken?.value).toBe(21.5)
  await said.getByText('Room setpoint 21.5 °C sent').waitFor()
  const body = JSON.stringify([{ uuid: taken?.uuid, state: 'APPLIED' }])
  const answer = await fetch(`${url}/rest/v1/set-points/acknowledge`, { method: 'POST', headers, body })
  expect(answer.ok).toBe(true)
  await said.getByText('Room setpoint 21.5 °C applied').waitFor()
  await setpointLine(page, /applied/).waitFor()
}
