import { type Static, Type } from 'typebox'
import { WEEKDAYS } from '../../../base/api/form-choices.ts'
import { DISALLOWED_IN_LINES } from '../../../base/api/line.ts'
import { Line } from '../../../base/api/schema.ts'
import { CODE_REPOSITORY_NAME } from '../../projects/operations/code-repositories.ts'

const plain = { additionalProperties: false } as const
const MAX_PATTERNS = 20

export const Patterns = (description: string, examples: string[]) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: `^[^\\\\${DISALLOWED_IN_LINES}]+$` }), {
    maxItems: MAX_PATTERNS,
    uniqueItems: true,
    description: `${description} \`*\` matches part of a name, \`**\` any number of folders.`,
    examples: [examples],
  })
const Pages = Type.Optional(Patterns('Page paths. Default: all pages.', ['/guides/**']))

const Schedule = Type.Object(
  {
    kind: Type.Enum(['schedule']),
    every: Type.Optional(Type.Enum(['hour', 'day', 'week'])),
    cron: Type.Optional(
      Line(100, {
        description:
          'Cron expression, instead of `every`: minute, hour, day of month, month and weekday. Runs must be at least 5 minutes apart.',
        examples: ['0 9 * * 1-5'],
      }),
    ),
    hour: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 23, default: 9, description: 'For daily and weekly schedules.' }),
    ),
    minute: Type.Optional(Type.Integer({ minimum: 0, maximum: 59, default: 0 })),
    weekday: Type.Optional(
      Type.Enum([...WEEKDAYS], { default: 'monday', description: 'For weekly schedules.' }),
    ),
    timeZone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        default: 'UTC',
        description: 'IANA time zone name.',
        examples: ['Europe/Berlin'],
      }),
    ),
  },
  plain,
)
export type Schedule = Static<typeof Schedule>

export const AutomationTrigger = Type.Union(
  [
    Schedule,
    Type.Object(
      { kind: Type.Enum(['push']), pages: Pages },
      { ...plain, description: 'The site was published and the text of these pages changed.' },
    ),
    Type.Object(
      {
        kind: Type.Enum(['feedback']),
        count: Type.Integer({ minimum: 1, maximum: 50 }),
        pages: Pages,
      },
      { ...plain, description: 'One page has this many pending feedback entries with text or code.' },
    ),
    Type.Object(
      { kind: Type.Enum(['search']), count: Type.Integer({ minimum: 1, maximum: 10_000 }) },
      {
        ...plain,
        description: 'In the last 7 days, this many searches for the same words returned no results.',
      },
    ),
    Type.Object(
      { kind: Type.Enum(['broken_link']) },
      { ...plain, description: 'The published site has broken links or images.' },
    ),
    Type.Object(
      { kind: Type.Enum(['translation']) },
      { ...plain, description: 'The original of a translated page has changed since the translation.' },
    ),
    Type.Object(
      { kind: Type.Enum(['alarm']), pages: Pages },
      {
        ...plain,
        description:
          'A change in a code repository of the project may have made statements on these pages false.',
      },
    ),
    Type.Object(
      { kind: Type.Enum(['webhook']) },
      { ...plain, description: 'A message was sent to the webhook URL of the automation.' },
    ),
    Type.Object(
      {
        kind: Type.Enum(['comment']),
        mention: Type.Optional(
          Type.String({
            pattern: '^@?[A-Za-z0-9][A-Za-z0-9_.-]{1,49}$',
            default: '@octavo',
            description: 'Word that triggers the automation.',
          }),
        ),
        people: Type.Array(Line(100), {
          minItems: 1,
          maxItems: 50,
          uniqueItems: true,
          description: 'Forge user names of people who can trigger the automation.',
          examples: [['anna']],
        }),
      },
      {
        ...plain,
        description:
          'One of `people` wrote a comment that contains `mention` on an issue or pull request, and the forge sent the comment to the push webhook.',
      },
    ),
    Type.Object(
      {
        kind: Type.Enum(['pull_request']),
        repository: Type.String({
          maxLength: 200,
          pattern: '^[^\\s/]+(/[^\\s/]+)+$',
          description: 'Name of the docs repository or a code repository on the forge.',
          examples: ['acme/api'],
        }),
        when: Type.Optional(Type.Enum(['opened', 'merged'], { default: 'merged' })),
      },
      {
        ...plain,
        description:
          'A pull request in that repository was opened or merged, and its event arrived at the push webhook.',
      },
    ),
    Type.Object(
      {
        kind: Type.Enum(['code_push']),
        repository: Type.String({
          pattern: CODE_REPOSITORY_NAME.source,
          description: 'Name of a code repository of the project.',
          examples: ['api'],
        }),
        files: Type.Optional(
          Patterns('Files in the folder of the code repository. Default: all files.', ['src/**']),
        ),
        pages: Pages,
      },
      {
        ...plain,
        description:
          'The branch of this code repository has new commits that change options, API paths, definitions, fields, variables or files, and statements in the docs mention these in code format.',
      },
    ),
  ],
  { description: 'What starts a run.' },
)
export type AutomationTrigger = Static<typeof AutomationTrigger>
