import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, expectTypeOf, it, onTestFinished } from 'vitest'
import {
  connect,
  type Component,
  type Json,
  type PendingSetpoint,
  type Point,
  type State,
} from '../../src/api-client/index.ts'
import type { Model } from './model.ts'

// The compiler checks these types. Nothing is sent.

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const typed = connect<Model>({ url: 'http://a.example' }).component('thermostat', 'a')
const untyped = connect({ url: 'http://a.example' }).component('thermostat', 'a')

type Values<Of> = Of extends AsyncIterable<infer Item> ? Item : never

it('values have the types of the model', () => {
  expectTypeOf(typed.latest<'heating/target'>).returns.toEqualTypeOf<Promise<number | null>>()
  expectTypeOf(typed.latest<'heating/mode'>).returns.toEqualTypeOf<Promise<'auto' | 'away' | null>>()
  expectTypeOf<Values<ReturnType<typeof typed.range<'heating/pump'>>>>().toEqualTypeOf<Point<boolean>>()
  const curveOf = () => typed.curve('heating/target', { maxPoints: 5 })
  expectTypeOf(curveOf).returns.toEqualTypeOf<Promise<readonly Point<number>[]>>()
  const statesOf = () => typed.curve('heating/mode', { maxPoints: 5 })
  expectTypeOf(statesOf).returns.toEqualTypeOf<Promise<readonly State<'auto' | 'away'>[]>>()
  const bucketsOf = () => typed.curve('heating/target', { interval: 'PT1H', aggregations: ['avg'] })
  expectTypeOf<Awaited<ReturnType<typeof bucketsOf>>[number]['avg']>().toEqualTypeOf<number | null>()
  type Taken = Values<ReturnType<typeof typed.takeSetpoints>>
  expectTypeOf<Extract<Taken, { path: 'heating/mode' | null }>['value']>().toEqualTypeOf<'auto' | 'away'>()
  expectTypeOf<'heating/temperature'>().not.toExtend<Taken['path']>()
})

const mistakes = (thermostat: typeof typed, holdfast = connect<Model>({ url: '' })) => [
  // @ts-expect-error There is no such component model.
  holdfast.component('thermostats', 'a'),
  // @ts-expect-error There is no such path.
  thermostat.latest('heating/temprature'),
  // @ts-expect-error The value is no text.
  thermostat.send({ 'heating/target': 'warm' }),
  // @ts-expect-error There is no such option.
  thermostat.setSetpoint('heating/mode', 'home'),
  // @ts-expect-error A sensor cannot be set.
  thermostat.setSetpoint('heating/temperature', 20),
  // @ts-expect-error There is no such figure.
  thermostat.curve('heating/target', { interval: 'PT1H', aggregations: ['mean'] }),
]

it('a mistake does not compile', () => {
  expectTypeOf(mistakes).toBeFunction()
})

it('without a model, every path is a text and every value is JSON', () => {
  expectTypeOf(untyped.latest).returns.toEqualTypeOf<Promise<Json | null>>()
  expectTypeOf(untyped.setSetpoint).parameter(0).toEqualTypeOf<string>()
  expectTypeOf<Values<ReturnType<typeof untyped.takeSetpoints>>>().toExtend<PendingSetpoint>()
  expectTypeOf(untyped).toExtend<
    Component<{ readonly [path: string]: { readonly value: Json; readonly type: string } }>
  >()
})

/** A page of a browser, so there are no types of Node. */
const OPTIONS = { lib: ['es2024', 'esnext', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [] }

it('the compiler names the mistake of an application for browsers', () => {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-compiled-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const project = { extends: join(ROOT, 'tsconfig.json'), compilerOptions: OPTIONS, include: ['app.ts'] }
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(project))
  writeFileSync(join(directory, 'package.json'), '{"type": "module"}')
  writeFileSync(join(directory, 'app.ts'), APPLICATION)
  const output = compile(['--project', directory])
  expect(output.match(/error TS\d+/g)).toStrictEqual(['error TS2345'])
  expect(output).toMatch(/app\.ts\(5,40\): .*"heating\/targte"/)
})

const APPLICATION = `import { connect } from '${ROOT}src/api-client/index.ts'
import type { Model } from '${ROOT}test/api-client/model.ts'
const thermostat = connect<Model>({ url: '' }).component('thermostat', '')
export const wanted: Promise<number | null> = thermostat.latest('heating/target')
export const wrong = thermostat.latest('heating/targte')
`

function compile(words: readonly string[]): string {
  try {
    return execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', ...words], { encoding: 'utf8' })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}
