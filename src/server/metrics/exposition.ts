// These functions write the text for Prometheus (Exposition formats, version 0.0.4), and OpenMetrics 1.0.

export type Labels = { readonly [name: string]: string }

export interface Sample {
  /** The suffix of a histogram's sample: `_bucket`, `_sum` or `_count`. */
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

export type Format = 'text/plain' | 'application/openmetrics-text'

export const CONTENT_TYPES: { readonly [format in Format]: string } = {
  'text/plain': 'text/plain; version=0.0.4; charset=utf-8',
  'application/openmetrics-text': 'application/openmetrics-text; version=1.0.0; charset=utf-8',
}

export function exposition(families: Iterable<Family>, format: Format = 'text/plain'): string {
  const texts = [...families].map((family) => familyText(family, familyName(family, format)))
  return format === 'text/plain' ? texts.join('') : `${texts.join('')}# EOF\n`
}

/** The name of a family. In OpenMetrics only the samples of a counter have its suffix. */
function familyName({ name, kind }: Family, format: Format): string {
  return kind === 'counter' && format !== 'text/plain' ? name.replace(/_total$/, '') : name
}

function familyText({ name, kind, help, samples }: Family, family: string): string {
  const lines = [...samples].map(
    ({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${value}`,
  )
  return `${[`# HELP ${family} ${help}`, `# TYPE ${family} ${kind}`, ...lines].join('\n')}\n`
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
