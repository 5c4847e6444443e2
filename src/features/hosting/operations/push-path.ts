/** Path for push messages of forges. */
export const PUSH_PATH = '/hooks/push/{projectId}'
