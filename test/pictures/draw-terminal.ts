// Draws what a terminal would show.

const LINE = 20
const COLUMN = 8.4
const MARGIN = 20
const COLOURS: { readonly [code: string]: string } = {
  31: '#e5534b',
  32: '#57ab5a',
  33: '#c69026',
  36: '#39c5cf',
  91: '#ff7b72',
}

interface Style {
  readonly fill?: string
  readonly bold?: boolean
  readonly dim?: boolean
}

/** No-break spaces, because a browser folds the others. */
function escapeXml(part: string): string {
  return part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(' ', '\u00a0')
}

function nextStyle(style: Style, code: string): Style {
  if (code === '0') return {}
  if (code === '1') return { ...style, bold: true }
  if (code === '2') return { ...style, dim: true }
  if (code === '22') return { ...style, bold: false, dim: false }
  if (code === '39') return { ...style, fill: '' }
  const fill = COLOURS[code]
  if (fill === undefined) throw new Error(`the picture has no colour for the code ${code}`)
  return { ...style, fill }
}

function drawPart(part: string, { fill, bold, dim }: Style): string {
  const attributes = [fill ? ` fill="${fill}"` : '', bold ? ' font-weight="bold"' : '', dim ? ' opacity="0.6"' : '']
  return `<tspan${attributes.join('')}>${escapeXml(part)}</tspan>`
}

function drawLine(line: string, index: number): string {
  let style: Style = {}
  // oxlint-disable-next-line no-control-regex
  const parts = line.split(/\u001b\[([\d;]*)m/)
  const drawn = parts.map((part, place) => {
    if (place % 2 === 0) return part === '' ? '' : drawPart(part, style)
    style = part.split(';').reduce(nextStyle, style)
    return ''
  })
  return `<text x="${MARGIN}" y="${MARGIN + LINE * (index + 0.75)}">${drawn.join('')}</text>`
}

export function drawTerminal(written: string): string {
  const lines = written.trimEnd().split('\n')
  // oxlint-disable-next-line no-control-regex
  const columns = Math.max(...lines.map((line) => line.replaceAll(/\u001b\[[\d;]*m/g, '').length))
  const [width, height] = [Math.ceil(columns * COLUMN + 2 * MARGIN), lines.length * LINE + 2 * MARGIN]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="100%" height="100%" rx="8" fill="#1c2128"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#cdd9e5">
${lines.map(drawLine).join('\n')}
</g>
</svg>
`
}
