import { counted, nameSome } from '../../lib/counted.ts'
import { hasErrors, type Diagnostic } from '../../lib/diagnostic.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { diagnosticPosition } from '../../plan/render/render-diagnostics.ts'
import type { Io } from '../../shell/io.ts'
import { findingsOf } from '../models/findings.ts'
import { loadModels } from '../models/models.ts'
import { checked, type Check } from './check.ts'

export function checkModels(directory: string, io: Pick<Io, 'cwd' | 'env'>): Promise<Check> {
  return checked('models', () => {
    const models = loadModels(directory, io)
    const found = findingsOf(models)
    if (hasErrors(found))
      throw new HoldfastError('BAD_USER_INPUT', `${directory} is not valid; "validate" shows the errors`)
    const unresolved = found.filter(({ code }) => code === 'unresolved-reference')
    if (unresolved.length === 0) return `${directory} is valid`
    throw new HoldfastError('BAD_USER_INPUT', unresolvedText(directory, unresolved))
  })
}

const MOST_REFERENCES = 5

function unresolvedText(directory: string, unresolved: readonly Diagnostic[]): string {
  const names = unresolved.map((one) => {
    const [reference = one.message] = /\$\{[^}]*\}/.exec(one.message) ?? []
    return `${reference} (${diagnosticPosition(one)})`
  })
  const found = `${counted(names.length, 'reference')} of it ${names.length === 1 ? 'is' : 'are'} not resolved here`
  return `${directory} is valid, but ${found}: ${nameSome(names, MOST_REFERENCES)}; set each variable, or write it into .env, or an apply that needs it fails`
}
