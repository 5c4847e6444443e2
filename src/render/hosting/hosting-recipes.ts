/**
 * Writes `_octavo/hosting/`: configurations for common hosts of a bundle, with placeholders for paths and
 * names.
 */
import type { Site } from '../../site/model.ts'
import { encodePath } from '../html/encode-path.ts'
import { BUILT_IN_FOLDER } from '../machinery/built-ins.ts'
import { apacheRedirects, caddyRedirects } from './redirect-rules.ts'

export interface Recipe {
  path: string
  content: string
}

interface HostedSite {
  /** Host name of the site; null if unknown. */
  host: string | null
  redirects: Site['redirects']
  routes: readonly string[]
}

/** Must be in the root. */
export const HEADERS_FILE = '_headers'
export const SERVE_FILE = 'serve.mjs'
const HOSTING_FOLDER = `${BUILT_IN_FOLDER}/hosting`
/** Matches files with a hash in their name. All hosts support this syntax. */
const HASHED_FILE = String.raw`^.*/_octavo/.+\.[0-9a-f]{8,}\.[A-Za-z0-9]+$`
const IMMUTABLE_CACHING = 'public, max-age=31536000, immutable'

export function hostingRecipes(site: HostedSite): Recipe[] {
  const recipes: Record<string, string> = {
    [`${HOSTING_FOLDER}/README.md`]: readme(site),
    [`${HOSTING_FOLDER}/nginx.conf`]: nginx(site),
    [`${HOSTING_FOLDER}/Caddyfile`]: caddy(site),
    [`${HOSTING_FOLDER}/apache.htaccess`]: apache(site),
    [`${HOSTING_FOLDER}/cloudfront-function.js`]: cloudfront(site),
    [`${HOSTING_FOLDER}/github-pages.yml`]: GITHUB,
    [HEADERS_FILE]: HEADERS,
  }
  if (site.redirects.length > 0) recipes[`${HOSTING_FOLDER}/redirects.caddy`] = caddyRedirects(site)
  return Object.entries(recipes).map(([path, content]) => ({ path, content }))
}

const nameOf = ({ host }: HostedSite) => host ?? 'docs.example.com'

function nginx(site: HostedSite): string {
  const hasRedirects = site.redirects.length > 0
  const moved = hasRedirects
    ? `    if ($octavo_moved) { return 308 $octavo_moved; }
    if ($octavo_elsewhere) { return 307 $octavo_elsewhere; }
`
    : ''
  return `# Unpack the bundle to /srv/docs and include this file in the http block of nginx.conf.
# To serve it at a path such as https://example.com/docs/, unpack it to /srv/www/docs, set root to /srv/www, and add
# /docs to the beginning of the paths in error_page and location.
${hasRedirects ? 'include /srv/docs/redirects.nginx.conf;\n' : ''}map $uri $octavo_cache {
    default "no-cache";
    "~${HASHED_FILE}" "${IMMUTABLE_CACHING}";
}
server {
    listen 80;
    server_name ${nameOf(site)};
    root /srv/docs;
    index index.html;
    charset utf-8;
    charset_types text/css text/plain text/markdown text/javascript application/javascript application/json;
    gzip on;
    gzip_vary on;
    gzip_types text/css text/plain text/markdown text/javascript application/javascript application/json image/svg+xml;
    add_header Cache-Control $octavo_cache always;
    add_header X-Content-Type-Options nosniff always;
    error_page 404 /404.html;
    # A folder without a page.
    error_page 403 =404 /404.html;
${moved}    location / {
        try_files $uri $uri.html $uri/ =404;
    }
    location ~ \\.md$ {
        types { }
        default_type text/markdown;
    }
    location ~ ^(?<octavo_page>/.+)/$ {
        if (-f $document_root$octavo_page.html) { return 308 $octavo_page; }
    }
}
`
}

function caddy(site: HostedSite): string {
  return `# Unpack the bundle to /srv/docs. To serve it at a path such as https://example.com/docs/, put everything except the
# first line into handle_path /docs/* { … }, and add /docs to the beginning of the targets in redirects.caddy.
${nameOf(site)} {
	root * /srv/docs
	encode zstd gzip
${site.redirects.length > 0 ? `	import /srv/docs/${HOSTING_FOLDER}/redirects.caddy\n` : ''}	@slash {
		path_regexp slash ^(/[^/\\x5c].*)/$
		not file {path}index.html
	}
	redir @slash {re.slash.1} 308
	@hashed path_regexp ${HASHED_FILE}
	@named not path_regexp ${HASHED_FILE}
	header @hashed Cache-Control "${IMMUTABLE_CACHING}"
	header @named Cache-Control no-cache
	header X-Content-Type-Options nosniff
	@markdown path *.md
	header @markdown Content-Type "text/markdown; charset=utf-8"
	try_files {path} {path}.html {path}/
	file_server
	handle_errors {
		rewrite * /404.html
		file_server
	}
}
`
}

function apache(site: HostedSite): string {
  return `# Copy to .htaccess next to index.html. Requires AllowOverride All, mod_rewrite, mod_headers and mod_setenvif.
# To serve it at https://example.com/docs/, add /docs to the beginning of ErrorDocument and of the redirect targets.
DirectoryIndex index.html
DirectorySlash Off
Options -Indexes -MultiViews
ErrorDocument 404 /404.html
AddDefaultCharset utf-8
AddType text/markdown .md
AddType text/javascript .js .mjs
AddCharset utf-8 .html .css .js .json .md .txt .xml
<IfModule mod_rewrite.c>
RewriteEngine On
${apacheRedirects(site)}RewriteCond %{DOCUMENT_ROOT}%{REQUEST_URI} !-d
RewriteCond %{REQUEST_URI} ^(/[^/\\\\].*)/$
RewriteRule ^ %1 [R=308,L,NE,B,BNE=/]
RewriteCond %{REQUEST_FILENAME} !-f
RewriteCond %{REQUEST_FILENAME}.html -f
RewriteRule ^(.+[^/])$ $1.html [L]
RewriteCond %{REQUEST_FILENAME} -d
RewriteCond %{REQUEST_FILENAME}/index.html -f
RewriteRule ^(.+[^/])$ %{REQUEST_URI}/ [R=308,L]
</IfModule>
<IfModule mod_headers.c>
SetEnvIf Request_URI "${HASHED_FILE}" OCTAVO_HASHED
Header always set X-Content-Type-Options nosniff
Header always set Cache-Control "no-cache" env=!OCTAVO_HASHED
Header always set Cache-Control "${IMMUTABLE_CACHING}" env=OCTAVO_HASHED
</IfModule>
<IfModule mod_deflate.c>
AddOutputFilterByType DEFLATE text/html text/css text/plain text/markdown text/javascript application/json image/svg+xml
</IfModule>
`
}

/**
 * Maximum number of listed pages whose names look like file names, because CloudFront limits the size of
 * functions. Further pages of this kind are treated as files.
 */
const MAX_DOTTED_ROUTES = 100

function cloudfront({ routes }: HostedSite): string {
  const dotted = routes
    .filter((route) => LOOKS_LIKE_FILE.test(route))
    .slice(0, MAX_DOTTED_ROUTES)
    .map(encodePath)
  return `// CloudFront function for the event viewer-request: paths without an extension are pages.
var FILE = ${LOOKS_LIKE_FILE}
// Pages whose names look like file names.
var PAGES = ${JSON.stringify(dotted)}
function handler(event) {
  var request = event.request
  if (request.uri.endsWith('/')) request.uri += 'index.html'
  else if (!FILE.test(request.uri) || PAGES.indexOf(request.uri) !== -1) request.uri += '.html'
  return request
}
`
}

const LOOKS_LIKE_FILE = /\.[A-Za-z][A-Za-z0-9]{0,11}$/

const GITHUB = `# Copy to .github/workflows/pages.yml in a repository that contains bundle.tar.gz (with Git LFS above 100 MB).
# In its settings, under Pages, choose GitHub Actions as the source.
name: pages
on:
  push:
    branches: [main]
    paths: [bundle.tar.gz]
permissions:
  contents: read
  pages: write
  id-token: write
concurrency:
  group: pages
  cancel-in-progress: false
jobs:
  deploy:
    runs-on: ubuntu-latest
    environment:
      name: github-pages
      url: \${{ steps.deployment.outputs.page_url }}
    steps:
      - uses: actions/checkout@v4
      - run: mkdir site && tar xzf bundle.tar.gz -C site
      - uses: actions/upload-pages-artifact@v3
        with:
          path: site
      - id: deployment
        uses: actions/deploy-pages@v4
`

/** Headers for Netlify and Cloudflare. Files not listed are revalidated by ETag. */
const HEADERS = `/*
  X-Content-Type-Options: nosniff
/_octavo/search/*
  Cache-Control: ${IMMUTABLE_CACHING}
/_octavo/fonts/*
  Cache-Control: public, max-age=604800
`

function readme(site: HostedSite): string {
  const name = nameOf(site)
  return `# Serving this bundle

Links between pages are relative, so the folder works at any URL and path, and from a disk. Hosts need three rules:
\`/guides/export\` is the file \`guides/export.html\`, unknown paths return \`404.html\`, and files in \`_octavo/\` with a
hash in their name can be cached forever. Redirects are included as pages, and as rules in \`_redirects\` for hosts that
support it.

- **Node 20 or later**: \`node serve.mjs --port 8080\`, at a path with \`--base /docs\`. No installation is required.
- **nginx**: \`nginx.conf\`. **Caddy**: \`Caddyfile\`. **Apache**: \`apache.htaccess\`. All are next to this file.
- **Netlify**: publish the folder: \`netlify deploy --prod --dir .\` It reads \`_headers\` and \`_redirects\`.
- **Cloudflare Pages**: \`npx wrangler pages deploy . --project-name docs\` It reads the same two files.
- **GitHub Pages**: \`github-pages.yml\`.
- **S3 with CloudFront**: see below.

## S3 with CloudFront

Unpack with \`tar xzmf\`: the option \`m\` sets the time of files to the time of unpacking. In the archive, all files have
the same time, and \`sync\` skips files with the same size that are not newer. Files with a hash are uploaded first, so
that pages never refer to missing files. Obsolete files are deleted last, a day later if readers must not be affected:

    h='[0-9a-f]'
    aws s3 sync . s3://${name} --exclude "*" --include "_octavo/*.$h$h$h$h$h$h$h$h*.*" \\
      --cache-control "${IMMUTABLE_CACHING}"
    aws s3 sync . s3://${name} --exclude "*" --include "*.md" \\
      --content-type "text/markdown; charset=utf-8" --cache-control no-cache
    aws s3 sync . s3://${name} --exclude "*" --include "*.txt" \\
      --content-type "text/plain; charset=utf-8" --cache-control no-cache
    aws s3 sync . s3://${name} --cache-control no-cache
    aws cloudfront create-invalidation --distribution-id ID --paths "/*"
    aws s3 sync . s3://${name} --delete --cache-control no-cache

- Set the bucket as the origin of the distribution, with origin access control. The bucket stays private.
- Attach \`cloudfront-function.js\` to the event viewer-request.
- Add custom error responses: 403 and 404 return \`/404.html\` with the code 404.
- Enable compression, with the managed policy CachingOptimized.
`
}
