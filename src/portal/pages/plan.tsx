import { PAGE_PATHS } from "../../site/page-paths.ts";
import { ButtonLink } from "../components/button.tsx";
import { Table } from "../components/table.tsx";
import { useFacts } from "../facts.ts";
import { Page } from "../page.tsx";
import { useSession } from "../session.tsx";

/** The plans that there are. */
export default function Plan() {
  const { plans, sign_up: hasPeople } = useFacts();
  const { email } = useSession();
  return (
    <Page title="Plan" lead="What each plan allows.">
      <Table
        caption="Plans"
        rows={plans}
        keyOf={({ name }) => name}
        columns={[
          { title: "Plan", cell: ({ name }) => name },
          { title: "Price", cell: ({ price }) => price ?? "on request" },
          {
            title: "Requests a month",
            isNumber: true,
            cell: ({ quota }) => quota.toLocaleString("en-US"),
          },
          {
            title: "At once",
            isNumber: true,
            cell: ({ requests_per_second: burst }) => burst,
          },
        ]}
      />
      {hasPeople && email === null && (
        <ButtonLink look="primary" href={PAGE_PATHS["sign-up"]}>
          Sign up
        </ButtonLink>
      )}
    </Page>
  );
}
