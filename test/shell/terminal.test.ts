import { describe, expect, it } from 'vitest'
import { interruptionText } from '../../src/shell/interruption.ts'
import { commandLine, usesColor } from '../../src/shell/terminal.ts'

describe('colour', () => {
  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ TERM: 'dumb' }, true, false],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, true],
  ])('%j on a terminal (%s): %s', (env, isTerminal, color) => expect(usesColor(env, { isTerminal })).toBe(color))
})

it('a command is quoted so that it can be pasted', () => {
  expect(commandLine({}, 'apply', "it's a plan.json")).toBe(`holdfast apply 'it'\\''s a plan.json'`)
})

it.each([
  ['plan', /nothing was changed on the platform/],
  ['completions', /nothing was changed on the platform/],
  ['rename', /the files written so far are complete; nothing was changed on the platform/],
  ['init', /the files written so far are complete/],
  ['invite', /may have executed requests/],
])('Ctrl-C during %s says what was done', (command, said) => {
  expect(interruptionText(command, new Error('aborted'))).toMatch(said)
})
