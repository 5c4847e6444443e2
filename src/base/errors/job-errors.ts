/**
 * Error codes of exports, deployments and agent jobs, as stored in their rows. Codes never change. The sentence
 * stored with a code describes the individual failure; the remedy is general, for the dashboard and the
 * documentation.
 */
import { ProcessLimitError } from '../process-limit-error.ts'

interface JobErrorEntry {
  /** Description of the failure. */
  meaning: string
  /** Advice on how to fix it. */
  remedy: string
}

export const JOB_ERRORS = {
  cancelled: { meaning: 'Somebody cancelled the job.', remedy: 'Start a new one when it is wanted again.' },
  archived: { meaning: 'The agent job was archived while it was at work.', remedy: 'Start a new job.' },
  source_unreadable: {
    meaning: 'The repository or folder, its branch, its docs folder or the credentials for it are not right.',
    remedy: 'Check the source in the settings of the project.',
  },
  source_unreachable: {
    meaning: 'The repository could not be reached, in all attempts.',
    remedy: 'Check the source in the settings of the project, and whether its host answers.',
  },
  site_invalid: {
    meaning: 'The docs folder could not be read as a site.',
    remedy: 'Mend the file that is named, and whatever the warnings name.',
  },
  pages_missing: {
    meaning: 'None of the paths that were asked for is a page of the site.',
    remedy: 'Check which pages were asked for, and try again.',
  },
  signing_key_unreadable: {
    meaning: 'The key that bundles are signed with is set, and cannot be read.',
    remedy:
      'Ask whoever runs the server: the file that OCTAVO_SIGNING_KEY_FILE names must hold an Ed25519 private key.',
  },
  too_large: {
    meaning: 'The site or its repository is larger than Octavo takes.',
    remedy: 'Split the site, or leave out what it does not need.',
  },
  bound_passed: {
    meaning: 'Reading or rendering the site took more memory or time than it may, or its process crashed.',
    remedy: 'Make what is named smaller or simpler, or ask whoever runs the server for more room.',
  },
  worker_lost: {
    meaning: 'The processes that ran it ended again and again at the same place.',
    remedy: 'Ask whoever runs the server: its log has the reason.',
  },
  deadline_passed: {
    meaning: 'An attempt took longer than it may.',
    remedy: 'Split the site, or ask whoever runs the server for more processors.',
  },
  limit_reached: {
    meaning: 'The agent job reached one of its caps: steps, tokens, minutes, files or bytes.',
    remedy: 'Ask for less at once, or raise the caps of the project.',
  },
  change_refused: {
    meaning: 'The change of the agent has problems that the model could not mend.',
    remedy: 'Say in a message where the links should lead, or how to mend it otherwise.',
  },
  commit_key_unreadable: {
    meaning: 'The key that signs the commits of the project cannot be opened by this server.',
    remedy: 'Make another key in the settings of the project, and show its public part to the forge.',
  },
  question_unanswered: {
    meaning: 'The agent asked a question, and nobody answered it.',
    remedy: 'Answer it in a message: the job goes on from what it has changed.',
  },
  branch_gone: {
    meaning: 'The branch of the agent job was deleted, or somebody else has moved it.',
    remedy: 'Start a new job.',
  },
  push_refused: {
    meaning: 'The repository did not take the branch of the change.',
    remedy:
      'Check that the token for the repository may push, and the source in the settings of the project.',
  },
  forge_refused: {
    meaning: 'The forge did not take the pull request.',
    remedy: 'Check the token for the forge, and the source in the settings of the project.',
  },
  forge_unreachable: {
    meaning: 'The forge could not be reached for too long.',
    remedy: 'Check that the forge answers, and the source in the settings of the project.',
  },
  model_key_refused: {
    meaning: 'The key of the model is missing or was refused.',
    remedy:
      'The key of the model is not right. Whoever runs this server sets it (OCTAVO_MODEL_KEY, ANTHROPIC_API_KEY, OPENAI_API_KEY).',
  },
  model_missing: {
    meaning: 'No model is configured, or there is none of that name at its address.',
    remedy: 'Choose another model in the settings of the project, or ask whoever runs the server.',
  },
  model_unreachable: {
    meaning: 'The model could not be reached, or was overloaded, for too long.',
    remedy: 'Try again in a moment.',
  },
  model_failed: {
    meaning: 'The model refused the request, answered nonsense, stopped, or went round in circles.',
    remedy: 'Try again in other words, or with another model.',
  },
  internal: {
    meaning: 'A fault of the server.',
    remedy: 'Ask whoever runs the server: its log has the reason.',
  },
} as const satisfies Record<string, JobErrorEntry>

export type JobErrorCode = keyof typeof JOB_ERRORS

export const JOB_ERROR_CODES = Object.keys(JOB_ERRORS) as JobErrorCode[]

/** Returns the code for an error that ended a job. */
export function jobErrorCode(error: unknown): JobErrorCode {
  if (error instanceof ProcessLimitError) return 'bound_passed'
  const { code } = (error ?? {}) as { code?: unknown }
  return JOB_ERROR_CODES.find((known) => known === code) ?? 'internal'
}
