/** The review of a change: its files, and their risks for readers. */
import { type Static, Type } from 'typebox'
import { Nullable } from '../../../base/api/schema.ts'

export const ReviewedFile = Type.Object(
  {
    path: Type.String({ description: 'Path relative to the docs folder.' }),
    change: Type.Enum(['added', 'modified', 'deleted']),
    reason: Nullable(Type.String({ description: 'Reason given by the agent.' })),
    before: Nullable(Type.String()),
    after: Nullable(Type.String()),
    route: Nullable(Type.String({ description: 'Path of the page, if the file is a page.' })),
    picture: Nullable(
      Type.Object(
        { before: Nullable(Type.String()), after: Nullable(Type.String()) },
        {
          additionalProperties: false,
          description: 'URLs for showing the file, if it is an image. Images other than SVG have no text.',
        },
      ),
    ),
  },
  { additionalProperties: false },
)
export type ReviewedFile = Static<typeof ReviewedFile>

/**
 * `high`: affects readers, or removes a protection. `medium`: changes what readers run, see or are led to. `low`:
 * should be reviewed.
 */
export const RISK_LEVELS = ['high', 'medium', 'low'] as const
export type RiskLevel = (typeof RISK_LEVELS)[number]

/** Levels of the risks that a change can have for readers, apart from wrong content. */
const LEVELS = {
  script: 'high',
  frame: 'high',
  host: 'medium',
  tracker: 'high',
  analytics: 'high',
  deletion: 'high',
  address: 'medium',
  warning: 'high',
  hidden: 'medium',
  style: 'low',
  settings: 'high',
  command: 'medium',
  contact: 'medium',
  machines: 'medium',
  data: 'low',
  picture: 'low',
  value: 'medium',
} as const satisfies Record<string, RiskLevel>
export type RiskKind = keyof typeof LEVELS
export const RISK_KINDS = Object.keys(LEVELS) as RiskKind[]

/** Kinds added by another version count as high. */
export function riskLevel(kind: RiskKind): RiskLevel {
  return LEVELS[kind] ?? 'high'
}

export const RiskNote = Type.Object(
  {
    kind: Type.Enum([...RISK_KINDS]),
    level: Type.Optional(
      Type.Enum([...RISK_LEVELS], {
        description:
          '`high`: affects readers directly or removes a protection; `medium`: changes what they run, see or follow; `low`: worth checking.',
      }),
    ),
    path: Type.String({ description: 'Path relative to the docs folder.' }),
    line: Nullable(Type.Integer({ minimum: 1, description: 'Line in the changed file.' })),
    what: Type.String({ description: 'Description of the risk.' }),
  },
  { additionalProperties: false },
)
export type RiskNote = Static<typeof RiskNote>

/** Lines of code that support a statement of the docs, named by the agent and verified by the server. */
export const CodeReference = Type.Object(
  {
    claim: Type.String({ description: 'The claim in the docs, as stated by the agent.' }),
    repository: Type.String({ description: 'Name of the code repository.' }),
    commit: Type.String({ description: 'Commit in which the lines were found.' }),
    path: Type.String({ description: 'Path relative to the root of the repository.' }),
    firstLine: Type.Integer({ minimum: 1 }),
    lastLine: Type.Integer({ minimum: 1 }),
    quote: Type.Optional(
      Type.String({
        description:
          'Code in these lines. Verified only to exist and to contain a word of the claim. Not available for older jobs.',
      }),
    ),
    link: Nullable(Type.String({ description: 'URL of the lines on the forge, if it is known.' })),
  },
  { additionalProperties: false },
)
export type CodeReference = Static<typeof CodeReference>

/** Coverage of the checks that go beyond the site itself: prose, and links to other sites. */
export interface ChangeChecks {
  /** Null when there was no prose to check. */
  prose: ProseCoverage | null
  /** Null when link checks are not enabled for the project. */
  links: CheckedAddresses | null
}

export interface ProseCoverage {
  /** Number of rules of the docs folder that were applied to changed pages. */
  rules: number
  /** Rules, and parts of rules, that could not be applied. */
  undone: readonly string[]
  names: number
  /** Whether all changed pages were read to their end. */
  isWhole: boolean
}

export interface NewAddress {
  url: string
  file: string
  line: number
}

export interface CheckedAddresses {
  /** Number of URLs that returned a page. */
  good: number
  /** URLs whose site reports that the page does not exist. */
  dead: readonly (NewAddress & { status: number })[]
  /** URLs without a clear result, with the reason in words. */
  unsure: readonly { url: string; why: string }[]
  /** Number of URLs beyond the limit of one check. */
  left: number
}
