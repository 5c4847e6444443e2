/** API result of testing settings before they are saved. */
import { Type } from 'typebox'
import { TRIAL_TEXTS, type TrialCode } from '../errors/finding-texts.ts'

const FINDING = {
  code: Type.Enum(Object.keys(TRIAL_TEXTS) as TrialCode[], { description: 'Of what kind it is.' }),
  sentence: Type.String({ description: 'What was found, with its names.' }),
}
const CLOSED = { additionalProperties: false }

export const TrialFinding = Type.Object(FINDING, CLOSED)

export const FailedTrial = Type.Object({ ...FINDING, remedy: Type.String() }, CLOSED)
