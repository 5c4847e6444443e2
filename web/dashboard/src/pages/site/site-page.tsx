import { PageHeader } from '../../ui/page.tsx'

export function SitePage() {
  return <PageHeader title="Published site" />
}
