// The text that Prometheus reads (Exposition formats, version 0.0.4).

export type Labels = { readonly [name: string]: string }

export interface Sample {
  /** Of a histogram: `_bucket`, `_sum` and `_count`. */
  readonly suffix?: string
  readonly labels?: Labels
  readonly value: number
}

export interface Family {
  readonly name: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly samples: Iterable<Sample>
}

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export function exposition(families: Iterable<Family>): string {
  return [...families].map(familyText).join('')
}

function familyText({ name, kind, help, samples }: Family): string {
  const lines = [...samples].map(
    ({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${value}`,
  )
  return `${[`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...lines].join('\n')}\n`
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
