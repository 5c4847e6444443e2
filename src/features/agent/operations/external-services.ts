/** Services that an agent job can wait for, by the names used in `waiting` events. */
export const EXTERNAL_SERVICES = {
  model: 'the AI model',
  forge: 'the forge',
  repository: 'the repository',
  person: 'an answer',
} as const
export type ExternalService = (typeof EXTERNAL_SERVICES)[keyof typeof EXTERNAL_SERVICES]
