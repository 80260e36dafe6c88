import { describe, expect, it } from 'vitest'
import { pullRequestIn } from '../../../src/reconcile/models/pull-requests.ts'

describe('the pull request in the message of a commit', () => {
  it.each([
    ['GitHub, a merge', 'Merge pull request #12 from acme/pump\n\nA pump', '#12'],
    ['GitHub, squashed', 'A pump (#12)\n\n* One\n* Two (#11)', '#12'],
    ['GitHub, taken back', 'Revert "A pump (#12)" (#15)', '#15'],
    ['Gitea and Forgejo', "Merge pull request 'A pump (#3)' (#12) from pump into main", '#12'],
    ['GitLab', "Merge branch 'pump' into 'main'\n\nA pump (#3)\n\nSee merge request acme/plants/models!12", '!12'],
    ['Bitbucket', 'Merged in pump (pull request #12)', '#12'],
    ['nobody', 'A pump for #12', null],
    ['nobody, at the end of another line', 'A pump\n\nas said (#12)', null],
  ])('%s', (_, message, expected) => {
    expect(pullRequestIn(message)).toBe(expected)
  })
})
