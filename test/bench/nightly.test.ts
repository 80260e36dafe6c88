import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  BENCHES,
  cpuFigures,
  keepIssue,
  LABEL,
  slowerFigures,
  withNight,
  type Figures,
  type Night,
  type ReportName,
} from '../../bench/nightly.ts'
import { githubForge } from '../../src/reconcile/forge/github.ts'
import type { Io } from '../../src/shell/io.ts'
import { fakeGitHub } from '../support/fake-github.ts'

const reportOf = (name: string) => readFileSync(new URL(`../../bench/${name}.md`, import.meta.url), 'utf8')

describe('the processor times of a report', () => {
  it.each(Object.keys(BENCHES) as ReportName[])('are found in that of %s', (name) => {
    const figures = Object.values(cpuFigures(name, reportOf(name)))
    expect(figures.length).toBeGreaterThan(2)
    expect(figures.every((value) => value > 0)).toBe(true)
  })

  it('are named by heading, row and column, and counted in the unit of the machine', () => {
    const report = `# A\n## PostgreSQL\n| records | command | wall, ms | client CPU | server CPU |
| ---: | --- | ---: | ---: | ---: |
| 1,000 | plan | 300 | 1,210 | 20 |
| 1,000 | apply | 300 | 120 | – |\n`
    expect(cpuFigures('results', report, 10)).toStrictEqual({
      'results › PostgreSQL › 1,000, plan › client CPU': 121,
      'results › PostgreSQL › 1,000, apply › client CPU': 12,
    })
  })
})

const nightsOf = (...values: readonly (number | null)[]): readonly Night[] =>
  values.map((value, index) => {
    const figures: Figures = value === null ? {} : { plan: value }
    return { commit: `c${index}`, at: `2026-01-0${index + 1}T01:23:00.000Z`, figures }
  })

const night = (a: number, b: number): Night => ({ commit: 'c', at: '', figures: { a, b } })

describe('what is slower', () => {
  it.each<[what: string, nights: readonly (number | null)[], slower: boolean]>([
    ['on both of the two last nights', [10, 10, 10, 12, 13], true],
    ['on the last night alone', [10, 10, 10, 10, 13], false],
    ['on the night before alone', [10, 10, 10, 13, 10], false],
    ['by 15 % and no more', [10, 10, 10, 11.5, 11.5], false],
    ['than the median, whatever one night was', [10, 30, 10, 2, 10, 12, 12], true],
    ['with two nights before', [10, 10, 20, 20], false],
    ['where the night before measured nothing', [10, 10, 10, null, 20], false],
    ['where nights long ago measured nothing', [null, 10, null, 10, 10, 20, 20], true],
    ['on the first night', [10], false],
  ])('%s', (_, values, slower) => {
    expect(slowerFigures(nightsOf(...values)).map(({ name }) => name)).toStrictEqual(slower ? ['plan'] : [])
  })

  it('comes with the worst first', () => {
    const nights = [night(1, 1), night(1, 1), night(1, 1), night(2, 3), night(2, 3)]
    expect(slowerFigures(nights).map(({ name }) => name)).toStrictEqual(['b', 'a'])
  })

  it('is told by the nights of a month', () => {
    let nights: readonly Night[] = []
    for (let count = 0; count < 40; count++) nights = withNight(nights, { commit: `c${count}`, at: '', figures: {} })
    expect(nights).toHaveLength(30)
    expect(nights.at(-1)?.commit).toBe('c39')
  })
})

it('one issue is open while benches are slower, and closed when they are not', async () => {
  const github = await fakeGitHub()
  const io = { fetch, now: Date.now, signal: new AbortController().signal } as unknown as Io
  const place = { token: github.token, apiUrl: github.url, owner: 'acme', repo: 'models' }
  const forge = await githubForge(place, io)
  const issues = async () => (await forge.ownIssues(LABEL)).map(({ isOpen, body }) => ({ isOpen, body }))
  const keep = (...values: readonly number[]) => {
    const nights = nightsOf(...values)
    return keepIssue(forge, slowerFigures(nights), nights)
  }
  await keep(10, 10, 10, 10, 10)
  expect(await issues()).toStrictEqual([])
  await keep(10, 10, 10, 20, 21)
  await keep(10, 10, 10, 30, 31)
  const [issue, ...others] = await issues()
  expect(others).toStrictEqual([])
  expect(issue?.isOpen).toBe(true)
  expect(issue?.body).toContain('measured c3 (2026-01-04) and c4 (2026-01-05); the night before them measured c2')
  expect(issue?.body).toContain('| plan | 3.00 |')
  await keep(10, 10, 10, 10, 10)
  expect((await issues()).map(({ isOpen }) => isOpen)).toStrictEqual([false])
})
