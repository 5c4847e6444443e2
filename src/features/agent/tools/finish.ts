/** finish: the agent's report on its work, which ends its turn. */
import { type Static, Type } from 'typebox'
import { normalizePath, quotePath } from '../edit/paths.ts'
import { defineTool } from '../loop/define-tool.ts'
import { plural } from '../loop/result-text.ts'
import { type CodeClaim, type Finish, type ToolContext, ToolRefusal } from '../loop/tool.ts'

const MAX_TITLE = 100
const MAX_REFERENCES = 40
/** Maximum length of a line range; a longer one would not support any specific statement. */
const MAX_LINES = 200

const Reference = Type.Object(
  {
    claim: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'What the docs say now, in one sentence.',
    }),
    repository: Type.String({ minLength: 1, maxLength: 60 }),
    path: Type.String({ minLength: 1, maxLength: 400 }),
    line: Type.Integer({ minimum: 1 }),
    endLine: Type.Optional(Type.Integer({ minimum: 1, description: 'Default: the same line.' })),
    quote: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'A short quotation, exactly as in these lines.',
    }),
  },
  { additionalProperties: false },
)

export const finish = defineTool({
  name: 'finish',
  description:
    'Ends your work with a report for reviewers. Every changed file needs a reason. Finish without changes if nothing should be changed, and explain why in the summary.',
  input: Type.Object(
    {
      title: Type.String({
        minLength: 1,
        maxLength: MAX_TITLE,
        description:
          'What this turn changed, in one line. In the first turn, it becomes the title of the pull request.',
      }),
      requestTitle: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: MAX_TITLE,
          description:
            'After a follow-up: a new title for the whole pull request, if the current title no longer describes all changes.',
        }),
      ),
      summary: Type.String({
        minLength: 1,
        maxLength: 8000,
        description: 'What was changed and why, and what remains to be done. Markdown.',
      }),
      reasons: Type.Array(
        Type.Object(
          {
            path: Type.String({ minLength: 1 }),
            reason: Type.String({
              minLength: 1,
              maxLength: 1000,
              description: 'Why this file changed, and what the change is based on.',
            }),
          },
          { additionalProperties: false },
        ),
        {
          maxItems: 1000,
          description: 'One entry for each changed or deleted file. Empty if there are no changes.',
        },
      ),
      answers: Type.Optional(
        Type.Array(
          Type.Object(
            {
              feedbackId: Type.String({ minLength: 1, maxLength: 80 }),
              path: Type.String({ minLength: 1, description: 'The changed file that contains the answer.' }),
              answer: Type.String({
                minLength: 1,
                maxLength: 500,
                description: 'What the docs say now, in one sentence.',
              }),
            },
            { additionalProperties: false },
          ),
          {
            maxItems: 100,
            description:
              'For a task with reader feedback: only the entries that your change addresses. Omitted entries stay open.',
          },
        ),
      ),
      replies: Type.Optional(
        Type.Array(
          Type.Object(
            {
              comment: Type.String({ minLength: 1, maxLength: 120, description: 'Id of the comment.' }),
              text: Type.String({
                minLength: 1,
                maxLength: 2000,
                description: 'Your answer to the reviewer. Markdown.',
              }),
            },
            { additionalProperties: false },
          ),
          { maxItems: 100, description: 'For comments of reviewers: an answer to each of them.' },
        ),
      ),
      references: Type.Optional(
        Type.Array(Reference, {
          maxItems: MAX_REFERENCES,
          description: 'Code that supports statements in the docs. Only lines that you have read.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  run: async (context, { title, summary, reasons, requestTitle, answers, replies, references }) => {
    const heading = toSingleLine(title)
    if (heading === '') throw new ToolRefusal('The title is empty. Describe the change in one line.')
    const fullTitle = toSingleLine(requestTitle ?? '')
    context.said.finish = {
      title: heading,
      summary,
      reasons: collectReasons(context, reasons),
      ...(fullTitle !== '' && { requestTitle: fullTitle }),
      ...(answers !== undefined && { answers: collectAnswers(context, answers) }),
      ...(replies !== undefined && {
        replies: Object.fromEntries(replies.map(({ comment, text }) => [comment, text.trim()])),
      }),
      ...(references !== undefined && { claims: references.map(toClaim) }),
    }
    const count = context.workspace.changes.size
    return count === 0 ? 'Finished without changes.' : `Finished with ${plural(count, 'changed file')}.`
  },
})

function toClaim({ claim, endLine, line, path, ...rest }: Static<typeof Reference>): CodeClaim {
  const last = Math.max(line, endLine ?? line)
  if (last - line >= MAX_LINES)
    throw new ToolRefusal(
      `A reference can cover at most ${MAX_LINES} lines. Use those that support the claim instead of lines ${line} to ${last} of ${quotePath(path)}.`,
    )
  return { ...rest, claim: toSingleLine(claim), path: path.replace(/^\.?\/+/, ''), line, endLine: last }
}

function toSingleLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}

/** Rejects an answer to feedback if the answer does not refer to a changed file. */
function collectAnswers(
  { workspace }: ToolContext,
  given: readonly { feedbackId: string; path: string; answer: string }[],
): Record<string, string> {
  const changed = new Set(workspace.changedFiles().map(({ path }) => path.normalize('NFC')))
  const nowhere = given.filter(({ path }) => !changed.has(normalizePath(path).normalize('NFC')))
  if (nowhere.length > 0) {
    const named = nowhere
      .slice(0, 30)
      .map(({ feedbackId, path }) => `${feedbackId.slice(0, 80)} in ${quotePath(path)}`)
    throw new ToolRefusal(
      `An entry must be answered by a file that you changed. These files are unchanged: ${named.join(', ')}. Omit entries that the change does not answer.`,
    )
  }
  return Object.fromEntries(
    given.map(({ feedbackId, path, answer }) => [
      feedbackId,
      `Answered by “${toSingleLine(answer)}” in ${normalizePath(path)}`,
    ]),
  )
}

function collectReasons(
  { workspace }: ToolContext,
  given: readonly { path: string; reason: string }[],
): Finish['reasons'] {
  const byPath = new Map(given.map(({ path, reason }) => [normalizePath(path), reason.trim()]))
  const changed = workspace.changedFiles().map(({ path }) => path)
  const reasonOf = (path: string) => byPath.get(path.normalize('NFC')) ?? ''
  const missing = changed.filter((path) => reasonOf(path) === '')
  if (missing.length > 0) {
    const named = missing.slice(0, 30).map(quotePath).join(', ')
    throw new ToolRefusal(
      `Give a reason for each changed file. ${plural(missing.length, 'file has', 'files have')} none: ${named}.`,
    )
  }
  return Object.fromEntries(changed.map((path) => [path, reasonOf(path)]))
}
