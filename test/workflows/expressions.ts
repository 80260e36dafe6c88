import { data, Evaluator, Lexer, Parser } from '@actions/expressions'

// GitHub's own evaluator of `${{ … }}`, and when a job or step runs.

/** What an expression can name: `github`, `inputs`, `steps`, … as plain JSON. */
export type Contexts = { readonly [name: string]: object | null }

/** How what came before has ended. */
export type Status = 'success' | 'failure'

/** A text with its expressions filled in; the value itself where the text is one expression and nothing else. */
export function fill(template: unknown, contexts: Contexts): unknown {
  if (typeof template !== 'string') return template
  const whole = /^\$\{\{((?:(?!\}\}).)*)\}\}$/s.exec(template.trim())
  if (whole !== null) return toJson(evaluate(whole[1] ?? '', contexts))
  return template.replaceAll(/\$\{\{(.*?)\}\}/gs, (_, inner: string) => evaluate(inner, contexts).coerceString())
}

export function fillText(template: unknown, contexts: Contexts): string {
  const value = fill(template, contexts)
  return value === null || value === undefined ? '' : String(value)
}

export function fillAll(templates: object | undefined, contexts: Contexts): { [name: string]: string } {
  const filled = Object.entries(templates ?? {}).map(([name, template]) => [name, fillText(template, contexts)])
  return Object.fromEntries(filled) as { [name: string]: string }
}

/** Without a condition about it, nothing runs after a failure. */
export function holds(condition: unknown, contexts: Contexts, status: Status): boolean {
  const text = String(condition ?? 'success()')
    .trim()
    .replace(/^\$\{\{(.*)\}\}$/s, '$1')
  const asksForStatus = /\b(?:success|failure|always|cancelled)\s*\(/.test(text)
  if (!asksForStatus && status === 'failure') return false
  return isTrue(evaluate(text, contexts, status))
}

function evaluate(text: string, contexts: Contexts, status: Status = 'success'): data.ExpressionData {
  const functions = statusFunctions(status)
  const parser = new Parser(new Lexer(text).lex().tokens, Object.keys(contexts), functions)
  const values = JSON.parse(JSON.stringify(contexts), data.reviver) as data.Dictionary
  return new Evaluator(parser.parse(), values, new Map(functions.map((one) => [one.name, one]))).evaluate()
}

function statusFunctions(status: Status) {
  const answers = { success: status === 'success', failure: status === 'failure', always: true, cancelled: false }
  return Object.entries(answers).map(([name, answer]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(answer),
  }))
}

function isTrue(value: data.ExpressionData): boolean {
  const json = toJson(value)
  return json !== null && json !== false && json !== 0 && json !== ''
}

function toJson(value: data.ExpressionData): unknown {
  return JSON.parse(JSON.stringify(value, data.replacer))
}
