/** Selects the files of the docs folder that are served at their own path. */

const STATIC_FILE =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|mp4|webm|mov|m4v|mp3|wav|ogg|m4a|json|jsonl|ya?ml|css|js|woff2?|ttf|otf|eot|pdf|txt|xml|csv|zip|gz|tgz|graphql|proto|ipynb|vtt|webmanifest)$/i

const PRIVATE_FILES = new Set([
  'docs.json',
  'mint.json',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'vercel.json',
])

export function isStaticFile(path: string): boolean {
  return STATIC_FILE.test(path) && !PRIVATE_FILES.has(path)
}
