/** Path to which forges send push messages. */
export const PUSH_PATH = '/hooks/push/{projectId}'
