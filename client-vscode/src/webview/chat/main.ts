import { editorHost } from "../host";
import { ChatPage } from "./page";

new ChatPage(editorHost(), document.body);
