// These are the other files of a repository of models.

export const EDITOR_SETTINGS = `{
  "yaml.schemas": {
    "./schemas/import-document.schema.json": ["models/**/*.yaml", "models/**/*.yml", "!models/holdfast.yaml"],
    "./schemas/settings.schema.json": ["models/holdfast.yaml"]
  },
  "json.schemas": [{ "fileMatch": ["/models/**/*.json"], "url": "./schemas/import-document.schema.json" }]
}
`

export const EDITOR_EXTENSIONS = `{ "recommendations": ["redhat.vscode-yaml"] }
`

export const IGNORED = `.holdfast/
.env
/plan.json
`

export const README = `# Data model

The data model of our platform, kept by Holdfast: what the files in [models/](models) say is what lives there.

- **Change it** in a branch. The pull request shows what would happen; merging it makes exactly that.
- **Blocked?** The plan prints the lines for [models/holdfast.yaml](models/holdfast.yaml); they are reviewed with the change.
- **Drift**, what somebody changed on the platform, becomes an issue that closes by itself.

At your own desk, with Node.js 24.7 or newer and \`npm install --global holdfast\` (or \`npm ci && npm link\` in a clone of
Holdfast):

\`\`\`sh
holdfast validate    # the files alone
holdfast plan        # against a platform of your own in .holdfast/, or --url https://…
holdfast apply       # to the same one, after a question
\`\`\`

## Setting up GitHub, once

\`\`\`sh
holdfast trust github OWNER/NAME --url https://…    # as an administrator of the platform
\`\`\`

makes what the platform needs, so that the jobs sign in without a secret, and prints the commands for what GitHub needs:

1. The variable \`HOLDFAST_URL\` of the repository is the address of the platform, unless the workflow names it.
2. The environment \`production\` has the people who must agree to an apply as required reviewers, and \`main\` as its only
   branch.
3. \`main\` is protected: pull requests with a review that a later push dismisses, also by the owners of
   \`models/holdfast.yaml\`, and the check \`plan / plan\`.
`
