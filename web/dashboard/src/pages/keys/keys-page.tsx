import { PageHeader } from '../../ui/page.tsx'

export function KeysPage() {
  return <PageHeader title="API keys" />
}
