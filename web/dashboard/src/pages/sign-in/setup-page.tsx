import { PageHeader } from '../../ui/page.tsx'

export function SetupPage() {
  return <PageHeader title="Set up" />
}
