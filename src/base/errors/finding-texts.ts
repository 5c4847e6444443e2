/**
 * Translatable messages of the dashboard for findings, by code; the server's sentence with specific names is shown
 * below. English shows only that sentence. The remedy is omitted where it would not be more general than the
 * server's.
 */
interface FindingTexts {
  meaning: string
  remedy?: string
}

/** Problems in a site's content. Codes without a row are shown in English. */
export const PROBLEM_TEXTS: Readonly<Record<string, FindingTexts>> = {
  // Links, images, files.
  'link.missing': {
    meaning: 'A link leads nowhere.',
    remedy: 'Correct the path, or add a page or a redirect there.',
  },
  'link.anchor_missing': {
    meaning: 'A link leads to a place that its page does not have.',
    remedy: 'Link to a heading that is there, or to the page alone.',
  },
  'link.unsafe': {
    meaning: 'A link runs script instead of leading somewhere.',
    remedy: 'Link to an address; put behaviour into a component.',
  },
  'image.missing': { meaning: 'An image does not exist.', remedy: 'Add the file, or correct its path.' },
  'asset.remote': {
    meaning: 'A file of another server could not be brought in; its place stays empty.',
    remedy: 'Put the file into the docs folder and name it by its path.',
  },
  'icon.unknown': {
    meaning: 'No free icon has this name; a similar one, or a dot, stands in its place.',
    remedy: 'Use a name of Font Awesome Free, Lucide or Tabler, or the path of an SVG file.',
  },
  'font.unreachable': {
    meaning: 'A font could not be fetched; another one stands in its place.',
    remedy: 'Put the font file into the docs folder and name its path in fonts.source.',
  },
  'favicon.unusable': {
    meaning: 'The favicon is given as it is, and home screens have no icon of it.',
    remedy: 'Give an SVG file of shapes and paths, or a PNG file of 180 by 180 pixels or more.',
  },
  // MDX.
  'mdx.syntax': { meaning: 'The MDX of the page cannot be read here.', remedy: 'Correct this line.' },
  'mdx.angle_brackets': {
    meaning: 'A word in angle brackets is neither an element nor a component; it is shown as text.',
    remedy: 'Put it in backticks, or write &lt; for the less-than sign.',
  },
  'mdx.table': {
    meaning: 'A row of a table has more cells than its head.',
    remedy: 'Write \\| for a bar that is text, or give the head as many cells.',
  },
  'mdx.expression': {
    meaning: 'An expression in braces cannot be evaluated.',
    remedy: 'Correct the expression, or put it in backticks when it is text.',
  },
  'mdx.unknown_component': {
    meaning: 'There is no such component; its tags are shown as text.',
    remedy: 'Use a built-in component, import the component, or remove the tag.',
  },
  'mdx.component_failed': {
    meaning: 'A component failed; its content is shown without it.',
    remedy: 'Correct the component or the props it is given.',
  },
  'mdx.module_failed': {
    meaning: 'Imported code failed.',
    remedy: 'Correct the code; names that it exports are not available.',
  },
  'mdx.island': {
    meaning: 'A component cannot run in the browser; its first state is shown.',
    remedy: 'Give it text, numbers, lists and elements, and define functions inside of the component.',
  },
  'mdx.browser_only': {
    meaning: 'A component is drawn by the browsers of readers alone, so search does not find its words.',
    remedy: 'Use what only browsers have inside useEffect or a handler.',
  },
  'mdx.endless': {
    meaning: 'Code takes too much time or memory and was stopped.',
    remedy: 'Correct the code; it must end within a second.',
  },
  'math.syntax': { meaning: 'A formula cannot be typeset.', remedy: 'Correct the formula.' },
  'variable.undefined': {
    meaning: 'A variable is not defined.',
    remedy: 'Add it to “variables” in docs.json, or put the text in backticks.',
  },
  'import.missing': {
    meaning: 'An imported file does not exist.',
    remedy: 'Create the file, or remove the import and what uses it.',
  },
  'import.package': {
    meaning: 'A package cannot be imported.',
    remedy: 'Use a built-in component, or a component file below the docs folder.',
  },
  'import.unsupported': {
    meaning: 'A file of this type cannot be imported.',
    remedy: 'Import .mdx, .md, .jsx, .tsx, .js or .ts; show images by their path.',
  },
  'import.cycle': {
    meaning: 'Files import each other in a circle.',
    remedy: 'Remove this import, or move what both need into a third file.',
  },
  // Pages.
  'frontmatter.yaml': {
    meaning: 'The frontmatter is not valid YAML; only its simple lines are used.',
    remedy: 'Correct this line; a value with a colon or a quotation mark in it belongs in double quotes.',
  },
  'frontmatter.unclosed': {
    meaning: 'The frontmatter that begins here is never closed.',
    remedy: 'Add a line with three hyphens below the last key.',
  },
  'frontmatter.type': {
    meaning: 'A key of the frontmatter has a value of another kind than it takes.',
    remedy: 'Correct the value, or remove the key.',
  },
  'page.encoding': { meaning: 'The file is not UTF-8.', remedy: 'Save the file as UTF-8.' },
  'page.large': { meaning: 'The page has very much text.', remedy: 'Split it into several pages.' },
  'page.route_taken': {
    meaning: 'Another file has the address of this one, which therefore gets no page.',
    remedy: 'Rename or remove one of them.',
  },
  'page.case_differs': {
    meaning: 'The addresses of two pages differ only in upper and lower case.',
    remedy: 'Rename one of them: many file systems cannot hold both.',
  },
  'site.no_pages': {
    meaning: 'There is no page in the docs folder.',
    remedy: 'Add an .mdx file and name it in the navigation.',
  },
  // Navigation and redirects.
  'navigation.page_missing': {
    meaning: 'The navigation names a page that does not exist.',
    remedy: 'Create the page, or remove the entry.',
  },
  'navigation.page_ignored': {
    meaning: 'The navigation names a page that is left out by the ignore rules.',
    remedy: 'Remove the entry, or let the file in with a line that begins with ! in .mintignore.',
  },
  'navigation.page_case': {
    meaning: 'The navigation writes a page in another way than its file is called.',
    remedy: 'Write the name as the file has it.',
  },
  'navigation.page_twice': {
    meaning: 'The page is in the navigation already.',
    remedy: 'Remove one of the entries, unless it is meant to stand in both places.',
  },
  'navigation.names_snippet': {
    meaning: 'The navigation names a file that is a snippet too.',
    remedy: 'Move what is shared into a snippet of its own, or the page out of the folder.',
  },
  'navigation.mixed_children': {
    meaning: 'Parts of the navigation stand where they cannot; some are not shown.',
    remedy: 'Keep to one kind of entries here.',
  },
  'redirect.target_missing': {
    meaning: 'A redirect leads to where nothing is.',
    remedy: 'Lead to a page that exists, or remove the redirect.',
  },
  'redirect.over_page': {
    meaning: 'There is a page at the source of this redirect, which is not used.',
    remedy: 'Remove the redirect, or the page.',
  },
  'redirect.repeated': {
    meaning: 'There is a redirect from there already.',
    remedy: 'Remove one of them.',
  },
  'redirect.loop': {
    meaning: 'Redirects go round in a circle.',
    remedy: 'Let one of these redirects lead to a page.',
  },
  'redirect.source': {
    meaning: 'The source of a redirect is no path of this site, or has its wildcard in the middle.',
    remedy: 'Write a path without ? and #, with :name for a part, or * or :name* as its last part.',
  },
  // Settings.
  'config.unknown_key': {
    meaning: 'This is not a setting and is not used.',
    remedy: 'Correct its name or its place, or remove it.',
  },
  'config.value': {
    meaning: 'A setting has a value that it cannot have.',
    remedy: 'Write one of the values that it takes.',
  },
  'config.type': {
    meaning: 'A setting has a value of another kind than it takes; it is not used.',
    remedy: 'Correct the value, or remove the setting.',
  },
  'config.required': {
    meaning: 'Something that is needed is missing from the settings.',
    remedy: 'Add what is named below.',
  },
  'config.file_missing': {
    meaning: 'A setting names a file that does not exist.',
    remedy: 'Add the file, or correct its path.',
  },
  'config.json_syntax': {
    meaning: 'The settings are not valid JSON.',
    remedy: 'Correct the JSON at this line.',
  },
  'config.json_unclosed': {
    meaning: 'A bracket opened here is never closed.',
    remedy: 'Add the missing bracket.',
  },
  'config.json_slip': {
    meaning: 'There is a slip in the JSON; it is read all the same.',
    remedy: 'Correct the JSON at this line.',
  },
  'config.missing': {
    meaning: 'There is no docs.json in the docs folder.',
    remedy: 'Add one, or correct the docs folder in the settings of the project.',
  },
  'config.old_form': {
    meaning: 'The settings are written in an older form; they are read all the same.',
    remedy: 'Move the settings to docs.json.',
  },
  'color.contrast': {
    meaning: 'A colour has too little contrast for text; links are shown in another tone.',
    remedy: 'Leave it to the theme, or choose a colour with more contrast.',
  },
  'integration.unsupported': {
    meaning: 'The settings of a service are kept, but no page loads its script.',
    remedy: 'Load it from a .js file of your own in the docs folder.',
  },
  // API descriptions.
  'api.spec_missing': {
    meaning: 'A description of an API does not exist.',
    remedy: 'Correct the path, which is relative to the docs folder or, in a page, to the page.',
  },
  'api.spec_unreadable': {
    meaning: 'A description of an API cannot be read.',
    remedy: 'Validate the file and correct it.',
  },
  'api.spec_remote': {
    meaning: 'A description of an API could not be fetched.',
    remedy: 'Check its address, or put the file into the docs folder.',
  },
  'api.operation_missing': {
    meaning: 'The description of the API has no such operation.',
    remedy: 'Correct the method and the path, or remove the entry.',
  },
  'api.reference_missing': {
    meaning: 'A reference in a description of an API leads nowhere; what it stands for is not shown.',
    remedy: 'Correct the reference; files that it names must lie in the docs folder.',
  },
}

/** Results of testing settings before they are saved, by the code that the server returns. */
export const TRIAL_TEXTS = {
  // Reasons why a model does not respond, from `src/model/model.ts`.
  'model.busy': { meaning: 'The model is busy.', remedy: 'Wait a moment and test again.' },
  'model.unreachable': {
    meaning: 'The model cannot be reached, or does not answer.',
    remedy: 'Check the address, and that this server can reach it.',
  },
  'model.credentials_refused': {
    meaning: 'The provider refuses the key.',
    remedy: 'Enter a key that the provider has given for this account.',
  },
  'model.model_missing': {
    meaning: 'The provider does not have this model.',
    remedy: 'Check the name of the model, and that the address ends before /chat/completions.',
  },
  'model.too_long': {
    meaning: 'The question is longer than the model takes.',
    remedy: 'Choose a model that takes more at once.',
  },
  'model.refused': {
    meaning: 'The provider refuses the request.',
    remedy: 'Check name and address of the model, and the account at the provider.',
  },
  'model.nonsense': {
    meaning: 'What came back is not an answer of a model.',
    remedy: 'Check the address: it is the part before /chat/completions.',
  },
  'model.too_large': {
    meaning: 'What came back is longer than an answer of a model.',
    remedy: 'Check the address: what answers there is no model.',
  },
  'mail.timeout': {
    meaning: 'The mail server did not answer in time.',
    remedy: 'Check server and port, and whether a firewall is between.',
  },
  'mail.sign_in_refused': {
    meaning: 'The mail server refused the sign-in.',
    remedy: 'Check user and password, and whether the account may send by SMTP.',
  },
  'mail.recipient_refused': {
    meaning: 'The mail server refused the recipient.',
    remedy: 'Check the address.',
  },
  'mail.sender_refused': {
    meaning: 'The mail server refused the sender.',
    remedy: 'Name a sender that this account may send as.',
  },
  'mail.mail_refused': {
    meaning: 'The mail server refused the mail.',
    remedy: 'Its answer says why.',
  },
  'mail.certificate': {
    meaning: 'The certificate of the mail server is not trusted.',
    remedy: 'Name the server as its certificate does, or set OCTAVO_MAIL_CA_FILE.',
  },
  'mail.tls': {
    meaning: 'No encrypted connection to the mail server came about.',
    remedy: 'Check the port and the kind of TLS.',
  },
  'mail.no_address': {
    meaning: 'No address was found for the mail server.',
    remedy: 'Check the name of the server.',
  },
  'mail.refused_place': {
    meaning: 'The mail server is in a private network that is not allowed.',
    remedy: 'Name it in OCTAVO_MAIL_PRIVATE_HOSTS, or take another server.',
  },
  'mail.nothing_listens': {
    meaning: 'No mail server listens at this port.',
    remedy: 'Check server and port.',
  },
  'mail.ended': {
    meaning: 'The connection to the mail server ended.',
    remedy: 'Check the port and the kind of TLS.',
  },
  'provider.no_document': {
    meaning: 'No OpenID Connect provider answers at this address: check the issuer.',
  },
  'provider.other_issuer': { meaning: 'The provider calls itself by another address.' },
  'provider.endpoint_missing': { meaning: 'The provider does not name an address that is needed.' },
  'provider.endpoint_open': { meaning: 'An address of the provider is not https.' },
  'provider.no_pkce': { meaning: 'The provider does not support PKCE with S256.' },
  'provider.no_code_flow': { meaning: 'The provider does not support the authorization code flow.' },
  'provider.no_public_key': {
    meaning: 'The provider signs tokens by no public key, so they cannot be verified.',
  },
  'provider.no_addresses': { meaning: 'The provider does not give e-mail addresses.' },
  'provider.no_keys': { meaning: 'The keys of the provider cannot be read.' },
  'provider.no_tokens': { meaning: 'The address of the provider for tokens does not answer.' },
  'provider.client_refused': { meaning: 'The provider does not accept the client id and secret.' },
  'provider.pkce_unsaid': {
    meaning: 'The provider does not say whether it supports PKCE with S256; Octavo uses it.',
  },
  'provider.secret_unsaid': {
    meaning: 'Whether the client secret is right shows at the first sign-in.',
  },
  'previews.dns_silent': { meaning: 'DNS could not be asked for names below this domain.' },
  'previews.no_record': {
    meaning: 'DNS has no address for names below this domain: add a record with a star.',
  },
  'previews.other_server': {
    meaning: 'Another server answers there: let names below this domain lead to this one.',
  },
  'previews.unreachable': {
    meaning: 'Names below this domain cannot be reached: look at the address, the proxy and its certificate.',
  },
  'previews.shares_cookies': {
    meaning:
      'The domain is below that of the dashboard: what pages of previews run can set cookies for it. Take another one when strangers can open pull requests.',
  },
  // Reasons why a forge rejects a token, from `src/git/forges/forge.ts`.
  'forge.unreachable': { meaning: 'The forge cannot be reached, or does not answer.' },
  'forge.credentials_refused': { meaning: 'The forge refuses the token.' },
  'forge.repository_missing': { meaning: 'The forge has nothing there, or does not show it to this token.' },
  'forge.refused': { meaning: 'The forge refuses the request.' },
} as const satisfies Readonly<Record<string, FindingTexts>>

export type TrialCode = keyof typeof TRIAL_TEXTS

export interface TrialFinding {
  code: TrialCode
  /** Description of the finding, and what to do if there is no separate remedy. */
  sentence: string
}

export const FINDING_TEXTS: readonly (readonly [code: string, words: FindingTexts])[] = Object.entries({
  ...PROBLEM_TEXTS,
  ...TRIAL_TEXTS,
})
