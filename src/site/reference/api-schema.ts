/** `api` of docs.json: how pages of interfaces look. */
import {
  choice,
  fields,
  flag,
  type SettingSchema,
  settled,
  shared,
  text,
  texts,
} from '../settings/schema-parts.ts'

/** Languages of generated samples where the site names none. */
const STANDARD_LANGUAGES = ['bash', 'python', 'javascript', 'php', 'go', 'java', 'ruby', 'csharp']

/** `specs`: how descriptions are named. */
export const apiSettings = (specs: () => SettingSchema) =>
  settled(
    fields('Pages of interfaces.', {
      openapi: shared('specs', specs),
      asyncapi: shared('specs', specs),
      url: choice('Always shows the whole address of the server.', ['full']),
      playground: fields('Trying requests.', {
        display: choice(
          'What there is to try with: a form with `interactive`, none with the others.',
          ['interactive', 'simple', 'none', 'auth'],
          'interactive',
        ),
        proxy: flag(
          "False: calls are made by the reader's browser alone, never through the platform where the API lets no page make them.",
          true,
        ),
        credentials: flag('Requests take the cookies along that the browser has of the server.', false),
      }),
      params: fields('Fields.', {
        expanded: choice('Nested fields when a page opens.', ['all', 'closed'], 'closed'),
        post: texts('Keys of schemas that stand behind the name of a field.', 'A key.'),
      }),
      examples: fields('Samples of code.', {
        languages: texts('Languages in order.', 'A language.'),
        defaults: choice('Parameters in samples.', ['required', 'all'], 'all'),
        prefill: flag('Fills the form with the examples of the description.', false),
        autogenerate: flag('Makes samples where the description has none.', true),
      }),
      mdx: fields('Pages written by hand.', {
        server: texts('Servers.', 'Address.'),
        auth: fields('How requests prove who they are.', {
          method: choice('Method.', ['bearer', 'basic', 'key', 'none', 'cobo']),
          name: text('Name of the header of a key.'),
        }),
      }),
    }),
    ({ url, playground, params, examples, mdx }) => ({
      playground: playground.display,
      /** Whether calls may go through the platform where the API lets no page make them, and direct ones take cookies along. */
      proxy: playground.proxy,
      credentials: playground.credentials,
      /** Nested fields are open when a page opens. */
      isExpanded: params.expanded === 'all',
      /** Keys of schemas whose values stand behind the name of a field. */
      pills: params.post,
      /** The address of the server always stands before the path. */
      hasFullUrl: url === 'full',
      examples: {
        /** As written: a name or an alias, in the order in which samples are shown. */
        languages: examples.languages.length > 0 ? examples.languages : STANDARD_LANGUAGES,
        isRequiredOnly: examples.defaults === 'required',
        isPrefilled: examples.prefill,
        isGenerated: examples.autogenerate,
      },
      /** Servers of pages that name only a path. */
      baseUrls: mdx.server,
      authMethod: mdx.auth.method,
      authName: mdx.auth.name,
    }),
  )
