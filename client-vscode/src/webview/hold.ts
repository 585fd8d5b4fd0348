import { HoldPage } from "./holdPage";
import { editorHost } from "./host";

new HoldPage(editorHost(), document.body);
