/** Where forges send their messages about pushes. */
export const PUSH_PATH = '/hooks/push/{projectId}'
