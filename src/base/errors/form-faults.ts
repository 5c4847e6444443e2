/**
 * Faults shown at form fields, which the dashboard translates. For sentences that begin with the field name,
 * `faultAt` adds it. `{first}` and `{second}` are numbers or user input: `worded` inserts them, and `faultTemplate`
 * recovers the template from a sentence, so that responses only carry the sentence. Faults not listed here are shown
 * in English.
 */
export const FORM_FAULTS = {
  // Names, texts, times.
  oneLine: 'must be one line',
  oneLineOfText: 'must be one line of text',
  date: 'must be a date that exists, such as 2026-01-01',
  timeZone: 'must be a time zone such as Europe/Berlin',
  timeZoneOrNone: 'is not the name of a time zone, such as `Europe/Berlin`; leave it out for UTC',
  outsideDocs: 'leads out of the docs folder: name files and folders of it, such as `guides/**`',
  // People and organizations.
  member: 'must be a member of the organization, or null',
  contact: 'must be an address',
  ownOrganization: 'must be an organization that you are a member of',
  mailDomain: 'must be the domain of e-mail addresses, as in example.com',
  // Projects: their names, sources, domains, pages.
  nameOfProject: 'A project needs a name of {first} to {second} characters, in one line',
  projectName: 'must be the name of the project, so that no other one is meant',
  foreignProject: 'is not a project of this organization',
  source: 'A project needs a source: an absolute folder or the address of a git repository',
  passwordInSource:
    'The address of the repository has a password in it, and addresses are shown: leave it out, and give the token on the dashboard, under Git access',
  noGitAddress: '{first} is not the address of a git repository',
  relativeFolder: 'The folder {first} must be an absolute path',
  serverFolder:
    'A folder of the server can only be set on its command line: `octavo projects create --source <folder>`',
  closedFolder:
    'A folder of the server must lie within those that its operator has opened for sources (OCTAVO_SOURCE_ROOTS)',
  ref: '{first} is not the name of a branch, a tag or a commit',
  docsFolder: 'The docs folder {first} must be a folder below the root of the source',
  codeFolder: 'must be a folder below the root of the repository',
  branch: 'must be the name of a branch, without refs/heads/',
  hostNotUrl: '{first} is a URL: give the host name alone, such as docs.example.com',
  hostWithoutPath: '{first} has a path: give the host name alone, such as docs.example.com',
  hostWithoutPort: '{first} has a port: give the host name alone, such as docs.example.com',
  hostName: '{first} is not a host name such as docs.example.com',
  countOfDomains: 'A project has {first} to {second} domains',
  domainTaken: 'The domain {first} is already in use',
  domainOfService:
    'The domain {first} is one of the service itself, or above or below one: choose another one',
  domainBesideOthers: 'The domain {first} is above or below one of another organization: choose another one',
  pendingDomains: 'An organization has at most {first} domains that wait for their proof',
  foreignDomain: 'is not the domain of a project of this organization.',
  unprovedDomain: 'is not proved yet: the settings of its project say what to create.',
  pagePath: 'must be the path of a page, for example "/guides/deploy".',
  servedSite: 'needs a site that is served: leave it out, or serve the site',
  agentCap: 'must be at most {first}, which is what the operator allows',
  // Keys and tokens.
  nameOfKey: 'A key needs a name of {first} to {second} characters, in one line',
  keyScopes: 'The scopes of a key are `read`, `write`, or both',
  keyDays: 'Keys of this organization expire after at most {first} days',
  noProjectOfKey: 'Name at least one project',
  projectOfAssistantKey: 'An assistant key is for one project',
  gitToken:
    'A token has {first} to {second} letters, digits and signs, without spaces: paste it as the forge gave it',
  gitTokens: 'An organization has at most {first} tokens: delete one first',
  // The server: its model, mail, sign-in, previews.
  modelKey: 'must be as the provider gave it: without spaces and letters with accents',
  modelToTest: 'must name the model that is to be tested',
  recordedModel: 'must name a model, not a recorded conversation',
  sameProvider: 'must be of the same provider as the model of agent jobs',
  addressWithoutModel: 'must be left out without a model that is asked there',
  webAddress: 'must be an http or https address without user name, ? and #',
  keyAgain: 'must be entered again: the one that is stored was given for another address',
  mailServer: 'must be the name or address of a server, without a port',
  mailServerToTest: 'must name the mail server that is to be tested',
  mailSender: 'must be an e-mail address, or `Name <address>`',
  withoutServer: 'must be left out without a server',
  userOfPassword: 'must be given with a password',
  passwordOfUser: 'must be given with a user',
  passwordAgain: 'must be entered again: the one that is stored was given for another server or user',
  openPassword: 'must not be none: the password would be sent unencrypted',
  givenByProvider: 'must be the one that the provider gave',
  providerToTest: 'must name the provider that is to be tested',
  secretAgain: 'must be entered again: the one that is stored was given for another issuer',
  previewDomain: 'must be a domain, as in previews.example.net',
  mailDomainOfOther: 'is of the single sign-on of another organization',
  dashboardDomain: 'must not be the domain of the dashboard, nor one above or below it',
  domainToTest: 'must name the domain that is to be tested',
} as const

/** Sentences of `explain-faults.ts` for schemas that occur in forms. */
export const SHAPE_FAULTS = [
  'is required',
  'must be an e-mail address',
  'must be one of {first}',
  'must be a whole number from {first} to {second}',
  'must be a whole number from {first} to {second} or null',
  'must be a text of {first} to {second} characters',
  'must be a text of {first} to {second} characters or null',
  'must be a text of {first} to {second} characters, not all of them spaces',
  'must be a text of {first} to {second} characters such as {third} or null',
  'must be a text of at least {first} character',
  'must be a text of at most {first} characters',
  'must be a text of at most {first} characters such as {second}',
  'must be a text such as {first}',
  'must be a list of {first} to {second} items',
  'must be a list of at most {first} items',
  'must be a list of at most {first} items or null',
] as const

const NAMES = ['first', 'second', 'third', 'fourth'] as const

/** Inserts numbers as they are and texts in quotes. */
export function fillTemplate(template: string, ...values: readonly (string | number)[]): string {
  return template.replace(/\{([a-z]+)\}/g, (mark, name: string) => {
    const value = values[(NAMES as readonly string[]).indexOf(name)]
    if (value === undefined) return mark
    return typeof value === 'number' ? String(value) : `\`${value}\``
  })
}

/** Quoted lists, and numbers that are not part of a name, a date or a version. */
const VALUE = /`[^`]*`(?:, `[^`]*`)*|(?<![\w.:-])\d+(?![\w:-]|\.\w)/g

export function faultTemplate(sentence: string): { template: string; values: Record<string, string> } {
  const values: Record<string, string> = {}
  const template = sentence.replace(VALUE, (value) => {
    const name = NAMES[Object.keys(values).length]
    if (name === undefined) return value
    values[name] = value
    return `{${name}}`
  })
  return { template, values }
}
