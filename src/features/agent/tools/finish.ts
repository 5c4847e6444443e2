/** finish: the agent's report on its work, which ends its turn. */
import { type Static, Type } from 'typebox'
import { normalizePath, quotePath } from '../edit/paths.ts'
import { defineTool } from '../loop/define-tool.ts'
import { plural } from '../loop/result-text.ts'
import { type CodeClaim, type Finish, type ToolContext, ToolRefusal } from '../loop/tool.ts'

const MAX_TITLE = 100

const MAX_REFERENCES = 40
/** A longer range would not support any specific statement. */
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
    endLine: Type.Optional(Type.Integer({ minimum: 1, description: 'The same line when left out.' })),
    quote: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'A short text exactly as it stands in these lines.',
    }),
  },
  { additionalProperties: false },
)

export const finish = defineTool({
  name: 'finish',
  description:
    'Ends your work with the account of it that reviewers read. Every file that you changed needs a reason. Finish without changes when nothing should be changed, and say why in the summary.',
  input: Type.Object(
    {
      title: Type.String({
        minLength: 1,
        maxLength: MAX_TITLE,
        description:
          'What this turn changed, in one line; of the first turn it is the title of the pull request.',
      }),
      requestTitle: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: MAX_TITLE,
          description:
            'After a follow-up: another title for the whole pull request, when the one it has no longer says what all of it does.',
        }),
      ),
      summary: Type.String({
        minLength: 1,
        maxLength: 8000,
        description: 'What was changed and why, and what was left open. Markdown.',
      }),
      reasons: Type.Array(
        Type.Object(
          {
            path: Type.String({ minLength: 1 }),
            reason: Type.String({
              minLength: 1,
              maxLength: 1000,
              description: 'Why this file changed, and what the change rests on.',
            }),
          },
          { additionalProperties: false },
        ),
        {
          maxItems: 1000,
          description: 'One for each changed file, deleted ones too; empty without changes.',
        },
      ),
      answers: Type.Optional(
        Type.Array(
          Type.Object(
            {
              feedbackId: Type.String({ minLength: 1, maxLength: 80 }),
              path: Type.String({ minLength: 1, description: 'The changed file that holds the answer.' }),
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
              'For a task with feedback of readers: the entries that your change answers, and no others. Those that are left out stay open.',
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
          description: 'Where code bears out what the docs say now; only lines that you have read.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  run: async (context, { title, summary, reasons, requestTitle, answers, replies, references }) => {
    const heading = toSingleLine(title)
    if (heading === '') throw new ToolRefusal('The title is empty. Say in one line what the change does.')
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
      `A reference names at most ${MAX_LINES} lines: give those that bear the claim out, and not lines ${line} to ${last} of ${quotePath(path)}.`,
    )
  return { ...rest, claim: toSingleLine(claim), path: path.replace(/^\.?\/+/, ''), line, endLine: last }
}

function toSingleLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}

/** Answers must refer to a changed file. */
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
      `An entry is answered by a file that you changed. These are not: ${named.join(', ')}. Leave out what the change does not answer.`,
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
