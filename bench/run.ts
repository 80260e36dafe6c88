import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { render, type Bench, type Size } from './report.ts'

// node bench/run.ts [NAME] [--quick | --size whole|night|quick] [--parts a,b]: runs the bench of that name and prints its
// report. Only a whole run of all parts writes it to bench/NAME.md. Linux only: benches ask /proc.

const NAMES = ['results', 'codec', 'console', 'datapoints', 'fleet', 'scale', 'sign-in', 'small-request']
const SIZES: readonly Size[] = ['whole', 'night', 'quick']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean' }, size: { type: 'string', default: 'whole' }, parts: { type: 'string' } },
})
const name = NAMES.find((one) => one === (positionals[0] ?? 'results'))
if (name === undefined) throw new Error(`there is no bench ${positionals[0]}; possible are ${NAMES.join(', ')}`)
const size = SIZES.find((one) => one === (values.quick === true ? 'quick' : values.size))
if (size === undefined) throw new Error(`there is no size ${values.size}; possible are ${SIZES.join(', ')}`)

const { bench } = (await import(`./${name}.ts`)) as { bench: Bench }
const report = render(name, await bench({ size, parts: values.parts?.split(',') }), size)
process.stdout.write(report)
if (size === 'whole' && values.parts === undefined) writeFileSync(new URL(`./${name}.md`, import.meta.url), report)
// Servers, databases and directories that a bench has left end with this process.
process.exit()
